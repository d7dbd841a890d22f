//! Links of a page, as a terminal shows them: the command that prints the other page, or a file of the source.

use super::{ALSO, TOPICS};

/// A page as a terminal shows it: a link to another page names the command that prints it, or a file of the source.
/// Pictures and translations that no command prints are left out.
pub(crate) fn for_terminal(page: &str) -> String {
    let in_source = if page.contains("[In English](") { "dans les sources d'agon" } else { "in agon's source" };
    let (mut out, mut rest) = (String::with_capacity(page.len()), page);
    while let Some((begin, middle, end)) = next_link(rest) {
        let (text, target) = (&rest[begin + 1..middle], &rest[middle + 2..end]);
        out += &rest[..begin];
        rest = &rest[end + 1..];
        let command = command_of(target);
        if out.ends_with('!') || (command.is_none() && is_translation(text)) {
            out.truncate(out.strip_suffix('!').unwrap_or(&out).trim_end().len());
            rest = rest.strip_prefix('.').unwrap_or(rest);
            continue;
        }
        let place = match (command, file_of(target)) {
            (Some(command), _) => command,
            (None, _) if target.starts_with("http") => target.to_owned(),
            (None, Some(file)) => format!("{file} {in_source}"),
            (None, None) => String::new(),
        };
        out += &match place.as_str() {
            "" => text.to_owned(),
            place if place.strip_prefix("agon help ") == Some(text) => place.to_owned(),
            place if out.ends_with('(') => format!("{text}: {place}"),
            place => format!("{text} ({place})"),
        };
    }
    out + rest
}

/// Whether a link leads to the same page in another language; `agon rules --lang` shows it.
fn is_translation(text: &str) -> bool {
    let text: Vec<&str> = text.split_whitespace().collect();
    matches!(text[..], ["En", "français"] | ["In", "English"])
}

/// Where the next `[text](target)` begins, where its text ends, and where it ends.
fn next_link(text: &str) -> Option<(usize, usize, usize)> {
    let is_page = |target: &str| target.starts_with("http") || target.starts_with('#') || target.contains(['/', '.']);
    text.match_indices("](").map(|(middle, _)| middle).find_map(|middle| {
        let begin = opening_bracket(&text[..middle])?;
        let end = middle + text[middle..].find(')')?;
        is_page(&text[middle + 2..end]).then_some((begin, middle, end))
    })
}

/// The bracket that the end of this text would close: a link's text may have brackets of its own.
fn opening_bracket(text: &str) -> Option<usize> {
    let mut open = 1;
    let brackets = text.bytes().enumerate().rev().filter(|(_, byte)| matches!(byte, b'[' | b']'));
    let mut depths = brackets.map(|(at, byte)| {
        open = if byte == b']' { open + 1 } else { open - 1 };
        (at, open)
    });
    depths.find(|(_, open)| *open == 0).map(|(at, _)| at)
}

/// The command that prints the page of a link.
fn command_of(target: &str) -> Option<String> {
    let path = target.split('#').next()?.strip_suffix(".md")?;
    let file = path.rsplit('/').next()?;
    let (base, lang) = file.strip_suffix(".fr").map_or((file, ""), |base| (base, " --lang fr"));
    if path.starts_with("../rules/") {
        return Some(format!("agon rules {base}{lang}"));
    }
    let named = |word: &str| {
        ALSO.iter().find(|(other, _)| *other == word).map_or(word.to_owned(), |(_, name)| (*name).to_owned())
    };
    let has =
        |name: &str| TOPICS.iter().any(|topic| topic.name == name && (lang.is_empty() || !topic.french.is_empty()));
    let name = named(file);
    if TOPICS.iter().any(|topic| topic.name == name) {
        return Some(format!("agon help {name}"));
    }
    has(base).then(|| format!("agon help {base}{lang}"))
}

/// The file of a link, as it is called in agon's source; links within a folder of pages are those of the guides.
fn file_of(target: &str) -> Option<String> {
    let path = target.split('#').next()?;
    match path.strip_prefix("../") {
        Some(up) => Some(up.strip_prefix("../").map_or_else(|| format!("docs/{up}"), str::to_owned)),
        None => path.contains('/').then(|| format!("docs/guides/{path}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_topics_in_a_terminal() {
        let page =
            "see [the contract](../reference/abi.md#play) or [it](https://a.b/c), `cells[2](x)` and [above](#top)";
        let shown = "see the contract (agon help contract) or it (https://a.b/c), `cells[2](x)` and above";
        assert_eq!(for_terminal(page), shown);
        assert_eq!(for_terminal("Code: `a`. [In\nEnglish](page.md).\n\nNext"), "Code: `a`.\n\nNext");
        assert_eq!(for_terminal("# A\n\n[En français](page.fr.md)\n\nNext"), "# A\n\nNext");
        let page = "with [`[time] a`](../reference/ladder.md#t), [le kit](kit.fr.md#a), [rules](../rules/a.md)";
        let shown = "with `[time] a` (agon help ladder), le kit (agon help kit --lang fr), rules (agon rules a)";
        assert_eq!(for_terminal(page), shown);
        assert_eq!(for_terminal("(see [why](../notebook/x.md))"), "(see why (docs/notebook/x.md in agon's source))");
        assert_eq!(for_terminal("([why](../notebook/x.md))"), "(why: docs/notebook/x.md in agon's source)");
        let page = "[a.toml](../ladders/a.toml) [b](machines/b.sub) [S](../../S.md#x)\n\n![A\nchart](../a.svg)\n";
        let shown = "a.toml (docs/ladders/a.toml in agon's source) b (docs/guides/machines/b.sub in agon's source) S \
                     (S.md in agon's source)\n";
        assert_eq!(for_terminal(page), shown);
    }
}
