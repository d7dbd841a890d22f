//! Pages in fewer bytes: what HTML lets one leave out is left out, and what is parsed of them stays the same. A text
//! that is not well formed is left as it is.

pub(crate) mod names;
pub(crate) mod script;
pub(crate) mod style;

/// Elements that have no content.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param"];
/// What is in them is no markup, or none where scripts run.
const RAW: [&str; 9] = ["script", "style", "title", "textarea", "noscript", "iframe", "noembed", "noframes", "xmp"];
/// Elements that end a paragraph where they begin.
const BLOCKS: [&str; 29] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "details",
    "dialog",
    "div",
    "dl",
    "fieldset",
    "figure",
    "figcaption",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];
/// Elements whose end is that of a paragraph in them, too; what follows a body is taken into it.
const AROUND: [&str; 16] = [
    "article",
    "aside",
    "blockquote",
    "dd",
    "details",
    "dialog",
    "div",
    "figcaption",
    "figure",
    "footer",
    "header",
    "li",
    "main",
    "nav",
    "section",
    "td",
];
/// What may stand at the begin of a head that is not written.
const IN_HEAD: [&str; 10] =
    ["base", "link", "meta", "noscript", "script", "style", "template", "title", "head", "noframes"];

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    /// What stands between tags, or is no markup.
    Text(&'a str),
    Begin {
        name: &'a str,
        attributes: &'a str,
        /// Whether it ends itself, as in `<use/>`.
        is_closed: bool,
    },
    End(&'a str),
    /// A comment, or the kind of the document.
    Other(&'a str),
}

/// An element that has begun.
struct Open<'a> {
    name: &'a str,
    /// Whether something in it ends a paragraph.
    has_block: bool,
}

/// The same page, shorter.
pub(crate) fn html(text: &str) -> String {
    shortened(text).unwrap_or_else(|| text.to_owned())
}

/// The same elements of a picture, shorter.
pub(crate) fn svg(text: &str) -> String {
    let short = html(&format!("<svg>{text}</svg>"));
    let inner = short.strip_prefix("<svg>").and_then(|short| short.strip_suffix("</svg>"));
    inner.unwrap_or(text).to_owned()
}

/// `None` where it is not well formed.
fn shortened(text: &str) -> Option<String> {
    let tokens = tokens(text)?;
    let (mut out, mut open) = (String::with_capacity(text.len()), Vec::<Open<'_>>::new());
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        match *token {
            Token::Text(text) | Token::Other(text) => out.push_str(text),
            Token::Begin { name, attributes, is_closed } => {
                let is_drawn = name == "svg" || open.iter().any(|one| one.name == "svg");
                if is_closed && !is_drawn && !VOID.contains(&name) {
                    return None;
                }
                if BLOCKS.contains(&name) {
                    open.iter_mut().for_each(|one| one.has_block = true);
                }
                if !(attributes.is_empty() && may_begin_unsaid(name, next)) {
                    begin(&mut out, name, attributes, is_closed);
                }
                if !is_closed && (is_drawn || !VOID.contains(&name)) {
                    open.push(Open { name, has_block: false });
                }
            }
            Token::End(name) => {
                let ended = open.pop().filter(|one| one.name == name)?;
                let around: Vec<&str> = open.iter().map(|one| one.name).collect();
                if !may_end_unsaid(&ended, &around, next) {
                    out.extend(["</", name, ">"]);
                }
            }
        }
    }
    open.is_empty().then_some(out)
}

/// Whether an element without attributes begins by what follows.
fn may_begin_unsaid(name: &str, next: Option<&Token<'_>>) -> bool {
    match (name, next) {
        ("head", Some(Token::Begin { name: next, .. })) => *next != "head" && IN_HEAD.contains(next),
        ("body", Some(Token::Begin { name: next, .. })) => !IN_HEAD.contains(next) && *next != "body",
        _ => false,
    }
}

/// Whether an element ends by what follows.
fn may_end_unsaid(ended: &Open<'_>, around: &[&str], next: Option<&Token<'_>>) -> bool {
    let parent = around.last().copied().unwrap_or_default();
    let begins = |names: &[&str]| matches!(next, Some(Token::Begin { name, .. }) if names.contains(name));
    let ends_parent = matches!(next, Some(Token::End(name)) if *name == parent);
    if around.contains(&"svg") {
        return false;
    }
    match ended.name {
        "li" => ["ul", "ol"].contains(&parent) && (begins(&["li"]) || ends_parent),
        "dt" => parent == "dl" && begins(&["dt", "dd"]),
        "dd" => parent == "dl" && (begins(&["dt", "dd"]) || ends_parent),
        "td" | "th" => parent == "tr" && (begins(&["td", "th"]) || ends_parent),
        "tr" => ["tbody", "thead", "table"].contains(&parent) && (begins(&["tr"]) || ends_parent),
        "thead" => parent == "table" && begins(&["tbody"]),
        "tbody" => parent == "table" && (begins(&["tbody"]) || ends_parent),
        "p" if ended.has_block => false,
        "p" => begins(&BLOCKS) || ends_parent && AROUND.contains(&parent),
        "head" => begins(&["body"]),
        "body" | "html" => !matches!(next, Some(Token::Other(_))),
        _ => false,
    }
}

/// Writes the begin of an element, its values without quotes where they need none.
fn begin(out: &mut String, name: &str, attributes: &str, is_closed: bool) {
    out.extend(["<", name]);
    let mut is_bare = false;
    for (key, value) in pairs(attributes) {
        out.extend([" ", key]);
        is_bare = value.is_some_and(needs_no_quotes);
        match value {
            // Nothing said is an empty value.
            None | Some("") => {}
            Some(value) if is_bare => out.extend(["=", value]),
            Some(value) => out.extend(["=\"", value, "\""]),
        }
    }
    // A value without quotes would have the stroke as its last character.
    out.push_str(match is_closed {
        true if is_bare => " />",
        true => "/>",
        false => ">",
    });
}

fn needs_no_quotes(value: &str) -> bool {
    let needs = |c: char| c.is_whitespace() || c.is_control() || "\"'=<>`".contains(c);
    !value.is_empty() && !value.contains(needs)
}

/// Keys and values of well-formed attributes.
fn pairs(attributes: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = attributes;
    std::iter::from_fn(move || {
        let (pair, after) = pair(rest)?;
        rest = after;
        Some(pair)
    })
}

/// A key with its value.
type Pair<'a> = (&'a str, Option<&'a str>);

/// The first of the attributes, ` key="value"` or ` key`, and what follows it.
fn pair(text: &str) -> Option<(Pair<'_>, &str)> {
    let text = text.strip_prefix(' ')?;
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || "-_:".contains(c);
    let end = text.find(|c| !is_of_key(c)).unwrap_or(text.len());
    let (key, rest) = text.split_at(end);
    if key.is_empty() {
        return None;
    }
    match rest.strip_prefix("=\"") {
        Some(rest) => rest.split_once('"').map(|(value, rest)| ((key, Some(value)), rest)),
        None => Some(((key, None), rest)),
    }
}

/// The parts of a page; `None` where a tag is written otherwise than maud and our own pictures write it.
fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (token, after) = token(rest)?;
        tokens.push(token);
        rest = after;
        if let Token::Begin { name, is_closed: false, .. } = token
            && RAW.contains(&name)
        {
            let end = rest.find(&format!("</{name}>"))?;
            let (raw, after) = rest.split_at(end);
            tokens.extend((!raw.is_empty()).then_some(Token::Text(raw)));
            rest = after;
        }
    }
    Some(tokens)
}

fn token(text: &str) -> Option<(Token<'_>, &str)> {
    if !text.starts_with('<') {
        let (words, rest) = text.split_at(text.find('<').unwrap_or(text.len()));
        return Some((Token::Text(words), rest));
    }
    if text.starts_with("<!") {
        let end = if text.starts_with("<!--") { text.find("-->")? + 3 } else { text.find('>')? + 1 };
        let (other, rest) = text.split_at(end);
        return Some((Token::Other(other), rest));
    }
    let is_end = text.starts_with("</");
    let inner = &text[if is_end { 2 } else { 1 }..];
    let (name, mut rest) = inner.split_at(inner.find(|c: char| !c.is_ascii_alphanumeric())?);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    if is_end {
        return Some((Token::End(name), rest.strip_prefix('>')?));
    }
    let begin = rest;
    while let Some((_, after)) = pair(rest) {
        rest = after;
    }
    let attributes = &begin[..begin.len() - rest.len()];
    let is_closed = rest.starts_with('/');
    let rest = rest.strip_prefix('/').unwrap_or(rest).strip_prefix('>')?;
    Some((Token::Begin { name, attributes, is_closed }, rest))
}

#[cfg(test)]
mod tests;
