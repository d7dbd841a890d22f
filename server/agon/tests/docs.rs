//! The documentation: shelves, links, anchors, named files, outlines in two languages, short paragraphs, and its site.

use crate::tree::{files, files_below, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Pages that no shelf has, since they lie next to the code that they explain.
const OFF_THE_SHELVES: [&str; 3] = ["docs/SUMMARY.md", "clients/first-c/README.md", "clients/second-c/README.md"];
const MOST_WORDS: usize = 90;

/// All pages with their texts, by their paths from the top.
fn pages() -> BTreeMap<String, String> {
    const OF_CODE: [&str; 3] = ["clients/README.md", "clients/first-c/README.md", "clients/second-c/README.md"];
    let is_page = |name: &str| name.starts_with("docs/") || !name.contains('/') || OF_CODE.contains(&name);
    files("", ".md").into_iter().filter(|(name, _)| is_page(name)).collect()
}

/// A page with its fenced blocks as empty lines.
fn prose(page: &str) -> String {
    let mut is_fenced = false;
    let mut text = String::new();
    for line in page.lines() {
        let is_fence = line.trim_start().starts_with("```");
        if !is_fenced && !is_fence {
            text += line;
        }
        is_fenced ^= is_fence;
        text += "\n";
    }
    text
}

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```").skip(1).step_by(2).collect()
}

/// Where the links of a page lead, those within backquotes left out, and those to other sites.
fn links(page: &str) -> Vec<String> {
    let text: String = prose(page).split('`').step_by(2).collect();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).filter(|target| !target.starts_with("http")).collect()
}

/// The level and the text of each heading.
fn headings(page: &str) -> Vec<(usize, String)> {
    let heading = |line: &str| {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let text = line[level..].strip_prefix(' ')?;
        (1..=6).contains(&level).then(|| (level, text.to_owned()))
    };
    prose(page).lines().filter_map(heading).collect()
}

/// The anchors of a page, as GitHub and mdBook make them of its headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, heading) in headings(page) {
        let kept = heading.to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let time = times.entry(slug.clone()).or_default();
        anchors.insert(if *time == 0 { slug } else { format!("{slug}-{time}") });
        *time += 1;
    }
    anchors
}

/// A path from the top, of one that starts at a page.
fn resolve(page: &str, path: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in Path::new(page).parent().unwrap().join(path).components() {
        match part {
            Component::ParentDir => assert!(parts.pop().is_some(), "{page}: {path} leads out of the repository"),
            Component::Normal(name) => parts.push(name.to_str().unwrap().to_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

/// The paths of the list by shelf.
fn shelved(pages: &BTreeMap<String, String>) -> Vec<String> {
    links(&pages["docs/SUMMARY.md"]).iter().map(|path| resolve("docs/SUMMARY.md", path)).collect()
}

#[test]
fn every_page_is_on_one_shelf() {
    let pages = pages();
    let listed = shelved(&pages);
    let once: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice: {listed:?}");
    let all: BTreeSet<&str> = pages.keys().map(String::as_str).filter(|page| !OFF_THE_SHELVES.contains(page)).collect();
    assert!(all.len() > 40, "{all:?}");
    assert_eq!(once, all, "docs/SUMMARY.md lists the pages on the left");
}

#[test]
fn every_link_and_every_anchor_leads_somewhere() {
    let pages = pages();
    let mut count = 0;
    for (page, text) in &pages {
        for link in links(text) {
            let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let target = if path.is_empty() { page.clone() } else { resolve(page, path) };
            assert!(root().join(&target).exists(), "{page}: {link}: there is no {target}");
            if !anchor.is_empty() {
                let known = pages.get(&target).map(|text| anchors(text)).unwrap_or_default();
                assert!(known.contains(anchor), "{page}: {link}: {target} has {known:?}");
            }
            count += 1;
        }
    }
    assert!(count > 200, "only {count} links were found");
}

#[test]
fn both_languages_have_one_outline() {
    let pages = pages();
    let mut count = 0;
    for (page, french) in pages.iter().filter(|(page, _)| page.ends_with(".fr.md")) {
        let english = &pages[&page.replace(".fr.md", ".md")];
        let levels = |text: &str| headings(text).into_iter().map(|(level, _)| level).collect::<Vec<_>>();
        assert_eq!(levels(french), levels(english), "{page}: the levels of its headings");
        assert_eq!(blocks(french), blocks(english), "{page}: its blocks of code");
        count += 1;
    }
    assert!(count >= 7, "{count} pages are in French");
}

/// The functions that the tour links to are in their files.
#[test]
fn the_tour_leads_to_functions_that_exist() {
    const PAGE: &str = "docs/tour.md";
    let page = pages().remove(PAGE).unwrap();
    let mut count = 0;
    for piece in page.split("[`").skip(1) {
        let (name, rest) = piece.split_once("`](").unwrap();
        let (path, _) = rest.split_once(')').unwrap();
        let path = resolve(PAGE, path);
        let source = fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(source.contains(name), "{PAGE}: {path} has no {name}");
        count += 1;
    }
    assert!(count >= 20, "{count} functions");
}

/// The files that a page names in a row, and its names of constants and functions. A path that begins with no top folder
/// lies next to the file before it.
fn named_in_row(page: &str, row: &str) -> (Vec<PathBuf>, Vec<String>) {
    const TOPS: [&str; 10] =
        ["abi/", "admit/", "boards/", "client-api/", "clients/", "games/", "host/", "search/", "server/", "stats/"];
    let (mut files, mut names) = (Vec::new(), Vec::new());
    let mut folder: Option<PathBuf> = None;
    for name in row.split('`').skip(1).step_by(2) {
        let is_top = TOPS.iter().any(|top| name.starts_with(top));
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        let is_source = matches!(ending, Some("rs" | "sql" | "js" | "css")) || name.ends_with('/');
        let file = match &folder {
            _ if is_top => root().join(name),
            Some(folder) if is_source => folder.join(name),
            _ if name.contains("::") || name.contains('_') || name.chars().all(|c| c.is_ascii_uppercase()) => {
                names.push(name.rsplit("::").next().unwrap().to_owned());
                continue;
            }
            _ => continue,
        };
        assert!(file.exists(), "{page}: there is no {}, in: {row}", file.display());
        folder = Some(if file.is_dir() { file.clone() } else { file.parent().unwrap().to_owned() });
        files.push(file);
    }
    (files, names)
}

/// Whether a file, or one below a folder, has this word.
fn has_word(path: &Path, word: &str) -> bool {
    if path.is_dir() {
        return fs::read_dir(path).unwrap().any(|entry| has_word(&entry.unwrap().path(), word));
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    fs::read_to_string(path).is_ok_and(|text| text.split(|c| !is_part(c)).any(|part| part == word))
}

/// The files that a change is told to open are there, and have the constants and functions that the row names.
#[test]
fn the_map_of_the_code_names_files_that_exist() {
    let pages = pages();
    let mut count = 0;
    for page in ["ARCHITECTURE.md", "docs/inside/changes.md"] {
        for row in pages[page].lines().filter(|line| line.starts_with("| ")) {
            let (files, names) = named_in_row(page, row);
            for name in names.iter().filter(|_| page != "ARCHITECTURE.md") {
                assert!(files.iter().any(|file| has_word(file, name)), "{page}: no file has {name}, in: {row}");
            }
            count += files.len() + names.len();
        }
    }
    assert!(count > 270, "only {count} files and names");
}

/// The paragraphs of a page, an item of a list each for itself, without tables and blocks.
fn paragraphs(page: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in prose(page).lines() {
        let begins = line.trim_start();
        let is_item =
            begins.starts_with("- ") || begins.starts_with("* ") || begins.starts_with(|c: char| c.is_ascii_digit());
        if begins.is_empty() || is_item {
            paragraphs.push(String::new());
        }
        if !begins.starts_with('|') && !line.starts_with("    ") {
            let last = paragraphs.last_mut().unwrap();
            *last += line;
            *last += " ";
        }
    }
    paragraphs
}

#[test]
fn paragraphs_are_short() {
    for (page, text) in pages() {
        for paragraph in paragraphs(&text) {
            let words = paragraph.split_whitespace().count();
            assert!(words <= MOST_WORDS, "{page}: {words} words, {MOST_WORDS} at most: {paragraph}");
        }
    }
}

#[test]
fn the_site_has_every_page_and_needs_no_network() {
    if !root().join("target/mdbook/bin/mdbook").exists() && !agon_skips::has_program("mdbook") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("agon-site-{}", std::process::id()));
    let built = Command::new(root().join("tools/site")).arg(&folder).output().unwrap();
    assert!(built.status.success(), "{built:?}");
    let site: BTreeMap<String, String> = files_below(&folder, ".html").into_iter().collect();
    for page in shelved(&pages()) {
        let file = page.replace("README.md", "index.md").replace(".md", ".html");
        assert!(site.contains_key(&file), "{page}: there is no {file}");
    }
    for (file, text) in &site {
        let is_fetched = |ending: &str| text.split('"').any(|word| word.starts_with("http") && word.ends_with(ending));
        assert!(![".js", ".css", ".woff2"].into_iter().any(is_fetched), "{file} fetches something");
    }
    let has_index = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("searchindex");
    assert!(fs::read_dir(&folder).unwrap().flatten().any(|entry| has_index(&entry)), "there is no index to search");
    fs::remove_dir_all(&folder).unwrap();
}
