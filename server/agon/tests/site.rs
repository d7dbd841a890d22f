//! `agon report`: pages that lead to each other and nowhere else, the same bytes each time, with text of strangers in
//! them as text; and in a browser without scripts from the standings down to the slowest move.

use crate::browser::{Browser, has_browser, strings};
use crate::builder::{Arena, has_program};
use crate::live::{NASTY, class};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A ladder of three, one of them odd.
fn played() -> Arena {
    let arena = class(2);
    arena.agon(["ladder", "--quiet"]).well();
    arena
}

/// Every file below a folder by its path in it.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=");
    let value = |rest: &'a str| match rest.strip_prefix('"') {
        Some(rest) => rest.split('"').next().unwrap(),
        None => rest.split([' ', '>']).next().unwrap(),
    };
    // In the data of a script quotes have a stroke before them.
    page.split(begin.as_str()).skip(1).filter(|rest| !rest.starts_with('\\')).map(value).collect()
}

/// A path from the folder of a page on.
fn resolve(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part)
        }
    }
    parts.join("/")
}

#[test]
fn the_pages_of_a_ladder_lead_to_each_other() {
    if !has_program("cc") {
        return;
    }
    let arena = played();
    arena.agon(["report", "--out", "one", "--replays", "all"]).well();
    let pages = files(&arena.path("one"));
    let mut reached = BTreeSet::new();
    for (path, page) in pages.iter().filter(|(path, _)| path.ends_with(".html")) {
        let links = [values(page, "href"), values(page, "src")].concat();
        for link in links.into_iter().filter(|link| *link != "data:,") {
            let (file, place) = link.split_once('#').map_or((link, None), |(file, place)| (file, Some(place)));
            let target = if file.is_empty() { path.clone() } else { resolve(path, file) };
            let found = pages.get(&target).unwrap_or_else(|| panic!("{path}: {link} leads nowhere"));
            if let Some(place) = place.filter(|place| !file.is_empty() || place.starts_with('m')) {
                assert!(values(found, "id").contains(&place), "{path}: {link} leads nowhere");
            }
            reached.insert(target);
        }
        assert!(!page.contains('\u{202e}') && !page.contains("<b onclick") && !page.contains("<i>class"), "{path}");
        let scripts = page.matches("<script").count();
        assert_eq!(scripts, if path.starts_with("match/") { 3 } else { 1 }, "{path}");
    }
    let unreached: Vec<_> = pages.keys().filter(|path| !reached.contains(*path)).collect();
    assert!(unreached.is_empty(), "{unreached:?}");
    assert_eq!(pages.keys().filter(|path| path.starts_with("match/")).count(), 24);
    assert_eq!(pages.keys().filter(|path| path.starts_with("vs/")).count(), 3);
    assert!(pages["matches.csv"].lines().all(|line| !line.contains(",=") && !line.contains('\u{202e}')));

    arena.agon(["report", "--out", "two", "--replays", "all"]).well();
    assert_eq!(files(&arena.path("two")), pages, "the same record gives the same bytes");
    // A report takes the place of a report, and of nothing else.
    arena.agon(["report", "--out", "two", "--replays", "faults", "--since", "one"]).well();
    assert!(files(&arena.path("two"))["index.html"].contains("Since the report before"));
    arena.file("mine.txt", "precious");
    assert_eq!(arena.agon(["report", "--out", "."]).status, Some(2));
    assert!(arena.path("mine.txt").is_file());
}

#[test]
fn an_anonymous_report_names_nobody() {
    if !has_program("cc") {
        return;
    }
    let arena = played();
    arena.agon(["report", "--anonymise", "--replays", "all"]).well();
    for (path, page) in files(&arena.path("agon-report")) {
        for word in ["random", "greedy", "nasty", "<b onclick", "Ann", arena.path("").to_str().unwrap()] {
            let page = page.replace("is random", "");
            assert!(!page.contains(word), "{path} has {word}");
        }
    }
}

#[test]
fn without_scripts_standings_lead_to_the_slowest_move() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = played();
    arena.agon(["report", "--replays", "all"]).well();
    let mut browser = Browser::start();
    browser.allow_scripts(false);
    let mut address = format!("file://{}", arena.path("agon-report/index.html").display());
    for link in [".cross td a", "table td a[href*='match/']", "a[href='#m1'], a[href^='#m']"] {
        browser.open(&address);
        for width in [360, 768, 1280] {
            browser.resize(width, 800);
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= width.into(), "{address}: {wide} wide in a window of {width}");
        }
        assert_eq!(browser.complaints(), [""; 0], "{address}");
        address = browser.value(&format!("document.querySelector(\"{link}\").href")).as_str().unwrap().to_owned();
    }
    browser.open(&address);
    let row = browser.value("document.querySelector(':target').cells[3].textContent");
    assert!(row.as_str().unwrap().ends_with('s'), "{row} is a time");
}

#[test]
fn submissions_say_who_came_when_and_which_are_alike() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let submit = |team: &str, bytes: &[u8]| {
        let folder = arena.path("teams").join(team);
        std::fs::create_dir_all(&folder).unwrap();
        let _ = std::fs::remove_file(folder.join("player.so"));
        std::fs::write(folder.join("player.so"), bytes).unwrap();
    };
    let read = |file: std::path::PathBuf| std::fs::read(file).unwrap();
    let (random, greedy) = (read(arena.rust_client("random")), read(arena.rust_client("greedy")));
    for (team, bytes) in [("red", &random[..]), ("<i>blue", &random), ("pink", &greedy), ("gold", b"int main;\n")] {
        submit(team, bytes);
    }
    submit("grey", &read(arena.c_client("nasty", NASTY).unwrap()));
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"teams/*/player.so\"]\nseed = 4\n[options]\nboard = \"square:5\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    // The same code in another file.
    submit("red", &[&greedy[..], b"\n"].concat());
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["report", "--submissions"]).well();
    let pages = files(&arena.path("agon-report"));
    let page = &pages["submissions.html"];
    assert!(pages["index.html"].contains("href=\"submissions.html\"") && !page.contains("<i>blue"));
    let text = page.split(['<', '>']).enumerate().filter(|(index, _)| index % 2 == 0).map(|(_, text)| text);
    let text = text.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "5 teams, 6 files; refused by admission: 1",
        "refused : a text file, not a compiled library if it is a script, begin it with",
        "version 1 player.so 20",
        "The same file These files are equal, byte for byte. &lt;i&gt;blue , red",
        "The same code Files that differ",
        "pink , red@2",
        "Last faults Of the newest file of each. grey : against",
        "crash: crashed in play, ply",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    arena.agon(["report"]).well();
    let pages = files(&arena.path("agon-report"));
    assert!(
        !pages.contains_key("submissions.html") && !pages["index.html"].contains("submissions.html"),
        "only where it is asked for"
    );
    assert_eq!(arena.agon(["report", "--submissions", "--anonymise"]).status, Some(2));
}

#[test]
fn the_list_of_a_report_shows_the_matches_of_one_client_and_those_with_a_page() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = played();
    arena.agon(["report", "--replays", "faults"]).well();
    let mut browser = Browser::start();
    let list = files(&arena.path("agon-report")).into_keys().find(|name| name.ends_with("matches.html")).unwrap();
    browser.open(&format!("file://{}", arena.path("agon-report").join(list).display()));
    let rows = "[...document.querySelectorAll('tr[data-of]')].filter(row => row.checkVisibility()).map(row => row.textContent)";
    let choose = |browser: &mut Browser, list: &str, number: usize| {
        browser.value(&format!(
            "(list => {{ list.selectedIndex = {number}; list.dispatchEvent(new Event('change', {{ bubbles: true }})); \
             return list.selectedOptions[0].textContent; }})(document.querySelector('[{list}]'))"
        ))
    };
    let all = strings(&browser.value(rows));
    for number in 1..=3 {
        let label = choose(&mut browser, "data-only", number);
        let shown = strings(&browser.value(rows));
        let of_client: Vec<_> = all.iter().filter(|row| row.contains(label.as_str().unwrap())).cloned().collect();
        assert!(!shown.is_empty() && shown.len() < all.len() && shown == of_client, "{label}: {shown:?}");
    }
    choose(&mut browser, "data-only", 0);
    assert_eq!(strings(&browser.value(rows)), all);
    choose(&mut browser, "data-paged", 1);
    let with_page = "[...document.querySelectorAll('tr[data-of] .seats a')].length";
    let shown = strings(&browser.value(rows)).len();
    assert!(shown > 0 && shown < all.len() && browser.value(with_page) == shown, "{shown}");
    assert_eq!(browser.complaints(), [""; 0]);
}
