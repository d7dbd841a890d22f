//! What a browser would make of a page before and after is the same.

use super::html;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;

/// What is parsed of a page: all elements, attributes and texts.
fn parsed(text: &str) -> String {
    fn write(node: &Handle, out: &mut String) {
        match &node.data {
            NodeData::Text { contents } => *out += &format!("{:?} ", contents.borrow()),
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let mut pairs: Vec<_> =
                    attributes.iter().map(|one| (one.name.local.to_string(), one.value.to_string())).collect();
                pairs.sort();
                *out += &format!("<{}:{} {pairs:?} ", name.ns, name.local);
            }
            other => *out += &format!("{other:?} "),
        }
        node.children.borrow().iter().for_each(|child| write(child, out));
        out.push('>');
    }
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(text);
    let mut out = String::new();
    write(&dom.document, &mut out);
    out
}

#[track_caller]
fn stays_the_same(page: &str) -> String {
    let short = html(page);
    assert_eq!(parsed(&short), parsed(page), "{page}\n{short}");
    assert!(short.len() <= page.len());
    short
}

#[test]
fn what_can_be_left_out_is_left_out() {
    let page = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>a b</title></head><body><main><p>a</p>\
                <table><thead><tr><th>x</th></tr></thead><tbody><tr class=\"w\"><td>1</td><td><a href=\"c/1.html\" title=\"\">2</a>\
                </td></tr></tbody></table><ul><li>1</li><li>2</li></ul></main></body><script src=\"a.js\"></script></html>\n";
    let expected = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>a b</title><main><p>a<table><thead><tr><th>x\
                    <tbody><tr class=w><td>1<td><a href=c/1.html title>2</a></table><ul><li>1<li>2</ul></main>\
                    <script src=a.js></script>\n";
    assert_eq!(stays_the_same(page), expected);
}

#[test]
fn what_looks_like_it_is_left() {
    for (page, expected) in [
        ("<b a=\"x y\" b=\"x\ty\" c=\"1=2\" d=\"&quot;\"></b>", "<b a=\"x y\" b=\"x\ty\" c=\"1=2\" d=&quot;></b>"),
        ("<svg><use href=\"#a\"/><use a=\"b c\"/></svg>", "<svg><use href=#a /><use a=\"b c\"/></svg>"),
        ("<p><a href=\"/\">x</a></p>", "<p><a href=/>x</a></p>"),
        ("<div><p>1</p> <p>2</p>3</div>", "<div><p>1</p> <p>2</p>3</div>"),
        ("<span><p>1</p></span>", "<span><p>1</p></span>"),
        ("<div><p>1</p></div>", "<div><p>1</div>"),
        ("<a><p>1</p></a>", "<a><p>1</p></a>"),
        ("<ul><li>1</li> <li>2</li></ul>", "<ul><li>1</li> <li>2</ul>"),
        ("<script>if (a<b) \"</p></p>\"</script>", "<script>if (a<b) \"</p></p>\"</script>"),
        ("<noscript><p id=\"a\">1</p></noscript>", "<noscript><p id=\"a\">1</p></noscript>"),
        ("<head><title>a</title></head><body><script>1</script></body>", "<title>a</title><body><script>1</script>"),
    ] {
        assert_eq!(stays_the_same(page), expected);
    }
}

#[test]
fn what_is_not_well_formed_is_left_as_it_is() {
    for odd in
        ["<p", "<p>", "</p>", "<p></b>", "<div/>", "< p>", "<p a='1'></p>", "<p a=\"1></p>", "<!-- ", "<script>", "<é>"]
    {
        assert_eq!(html(odd), odd);
    }
}

/// Words between tags and in quotes.
fn words() -> impl Strategy<Value = String> {
    "[a-z \t\n=`'/&;\u{a0}é-]{0,6}".prop_map(|text| text.replace('&', "&amp;"))
}

/// Elements in elements, as pages have them.
fn element() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        words(),
        Just("<br>".to_owned()),
        words().prop_map(|value| format!("<img alt=\"{value}\">")),
        words().prop_map(|text| format!("<script>\"{text}</p>\"</script>")),
        words().prop_map(|value| format!(
            "<svg viewBox=\"{value}\"><use href=\"{value}\"/><g><text x=\"1\">a</text></g></svg>"
        )),
    ];
    leaf.prop_recursive(5, 60, 5, |inner| {
        let many = proptest::collection::vec(inner, 0..5);
        let flow = ["div", "section", "main", "figure", "details", "pre", "h2"];
        prop_oneof![
            (0..flow.len(), words(), many.clone()).prop_map(move |(k, id, all)| format!(
                "<{0} id=\"{id}\">{1}</{0}>",
                flow[k],
                all.concat()
            )),
            many.clone().prop_map(|all| format!("<p>{}</p>", all.concat())),
            (0..3_usize, many.clone()).prop_map(|(k, all)| {
                let name = ["a", "span", "b"][k];
                format!("<{name}>{}</{name}>", all.concat())
            }),
            many.clone().prop_map(|all| format!(
                "<ul>{}</ul>",
                all.iter().map(|one| format!("<li>{one}</li>")).collect::<String>()
            )),
            many.clone().prop_map(|all| format!(
                "<dl>{}</dl>",
                all.iter().map(|one| format!("<dt>{one}</dt><dd>{one}</dd>")).collect::<String>()
            )),
            (any::<bool>(), many).prop_map(|(has_head, all)| {
                let row = all.iter().map(|one| format!("<td>{one}</td>")).collect::<String>();
                let head = if has_head { "<thead><tr><th>a</th></tr></thead>" } else { "" };
                format!("<table>{head}<tbody><tr>{row}</tr><tr>{row}</tr></tbody></table>")
            }),
        ]
    })
}

proptest! {
    #[test]
    fn a_page_is_parsed_alike(parts in proptest::collection::vec(element(), 0..4), title in words()) {
        let page = format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head><body>{}</body>\
             <script src=\"a.js\"></script></html>\n",
            parts.concat()
        );
        let short = html(&page);
        prop_assert_eq!(parsed(&short), parsed(&page), "{}\n{}", page, short);
    }

    #[test]
    fn anything_comes_to_something(text in "[<>/a-c \"=!-]{0,40}") {
        prop_assert!(html(&text).len() <= text.len());
    }
}
