//! Scripts with short names for what is their own: what they declare and never use as a property. Each name becomes the
//! same one everywhere, so that it need not be known where it is seen.

use super::script::{Kind, pieces};
use std::collections::{BTreeMap, BTreeSet};

/// Words of two letters that mean something to the language.
const SHORT_WORDS: [&str; 5] = ["as", "do", "if", "in", "of"];
/// After one of these a brace begins an object, or the pattern of one, and no block.
const BEFORE_OBJECTS: [&str; 9] = ["(", ",", "[", ":", "=", "?", "const", "let", "return"];

/// The same script, shorter.
pub(crate) fn shortened(text: &str) -> String {
    let all = pieces(text);
    let code = Code::of(all.iter().filter(|(kind, _)| !matches!(kind, Kind::Blank(_))).copied().collect());
    let names = short_names(&code);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (kind, piece) in all {
        let is_blank = matches!(kind, Kind::Blank(_));
        let name = names.get(piece).filter(|_| kind == Kind::Word && !code.is_property(at));
        out.push_str(name.map_or(piece, String::as_str));
        at += usize::from(!is_blank);
    }
    out
}

/// The new name of each that is the script's own; those that save most are the shortest.
fn short_names<'a>(code: &Code<'a>) -> BTreeMap<&'a str, String> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for at in code.words() {
        *uses.entry(code.text(at)).or_default() += 1;
    }
    let taken: BTreeSet<&str> = uses.keys().copied().collect();
    let is_free = |name: &String| !taken.contains(name.as_str()) && !SHORT_WORDS.contains(&name.as_str());
    let letters = || ('a'..='z').chain('A'..='Z');
    let short = letters().map(String::from);
    let longer = letters().flat_map(|one| letters().map(move |other| format!("{one}{other}")));
    let mut own: Vec<&str> = declared(code).into_iter().filter(|name| name.len() > 1).collect();
    own.sort_by_key(|name| std::cmp::Reverse(uses[name] * name.len()));
    let pairs = own.into_iter().zip(short.chain(longer).filter(is_free));
    pairs.filter(|(name, short)| short.len() < name.len()).collect()
}

/// What is declared: by `const`, `let` and `function`, and as what functions take.
fn declared<'a>(code: &Code<'a>) -> BTreeSet<&'a str> {
    let declares = |at: usize| {
        let (before, after) = (code.before(at, 1), [code.text(at + 1), code.text(at + 2)]);
        let is_listed = before == "," && after[0] == "=" && !["=", ">"].contains(&after[1]);
        ["const", "let", "function"].contains(&before)
            || after == ["=", ">"]
            || is_listed
            || before != "=" && code.is_in_pattern(at)
    };
    let own = |at: &usize| !code.is_property(*at) && declares(*at);
    code.words().filter(own).map(|at| code.text(at)).filter(|name| !["const", "let"].contains(name)).collect()
}

/// The pieces of a script without its blanks.
struct Code<'a> {
    pieces: Vec<(Kind, &'a str)>,
    /// Of each piece where the bracket around it is, if there is one.
    around: Vec<Option<usize>>,
    /// Of each bracket that begins where it ends.
    ends: BTreeMap<usize, usize>,
}

impl<'a> Code<'a> {
    fn of(pieces: Vec<(Kind, &'a str)>) -> Code<'a> {
        let (mut open, mut around, mut ends) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (at, (kind, piece)) in pieces.iter().enumerate() {
            let is_sign = *kind == Kind::Sign;
            // Code in a template stands between two of its parts.
            let is_part = *kind == Kind::Literal && !piece.starts_with(['"', '\'', '/']);
            if is_sign && ")]}".contains(piece) || is_part && piece.starts_with('}') {
                open.pop().into_iter().for_each(|begin| _ = ends.insert(begin, at));
            }
            around.push(open.last().copied());
            if is_sign && "([{".contains(piece) || is_part && piece.ends_with("${") {
                open.push(at);
            }
        }
        Code { pieces, around, ends }
    }

    fn words(&self) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(|at| self.pieces[*at].0 == Kind::Word)
    }

    /// Nothing where the script ends.
    fn text(&self, at: usize) -> &'a str {
        self.pieces.get(at).map_or("", |(_, piece)| *piece)
    }

    fn before(&self, at: usize, by: usize) -> &'a str {
        at.checked_sub(by).map_or("", |at| self.text(at))
    }

    /// Whether a word is the name of a property: after a point, or where an object has its keys.
    fn is_property(&self, at: usize) -> bool {
        let is_after_point = self.before(at, 1) == "." && self.before(at, 2) != ".";
        is_after_point
            || ["{", ","].contains(&self.before(at, 1)) && self.around[at].is_some_and(|open| self.is_object(open))
    }

    fn is_object(&self, open: usize) -> bool {
        self.text(open) == "{" && BEFORE_OBJECTS.contains(&self.before(open, 1))
    }

    /// Whether something is in brackets that say what a function takes, or into what a value is taken apart.
    fn is_in_pattern(&self, at: usize) -> bool {
        let Some(open) = self.around[at] else { return false };
        let before = self.before(open, 1);
        let end = self.ends.get(&open).map_or(["", ""], |end| [self.text(end + 1), self.text(end + 2)]);
        let is_taken = self.text(open) == "(" && (end == ["=", ">"] || self.before(open, 2) == "function");
        let is_apart = self.text(open) == "[" && (["const", "let"].contains(&before) || self.is_in_pattern(open));
        is_taken || is_apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_are_short_and_properties_stay() {
        for (script, expected) in [
            ("const last=data.last;show(last)", "const a=data.last;show(a)"),
            ("let sum=0,unit=1;sum+=unit", "let b=0,a=1;b+=a"),
            ("function show(turn){at(turn)}show(1)", "function a(b){at(b)}a(1)"),
            ("all.map((row,k)=>row.cells[k])", "all.map((a,k)=>a.cells[k])"),
            ("one=>({one:one,two})", "a=>({one:a,two})"),
            ("const[first,...rest]=all;[first,...rest]", "const[a,...b]=all;[a,...b]"),
            ("for(const[seat,[used]]of all)seat+used", "for(const[a,[b]]of all)a+b"),
            ("f(([name,what])=>`${name} ${g(`${what}`)}name`)", "f(([a,b])=>`${a} ${g(`${b}`)}name`)"),
            ("const name=\"name\";x?name:y.name", "const a=\"name\";x?a:y.name"),
            ("const a1=1,b=2;a1+b", "const a=1,b=2;a+b"),
            ("const text=a;if(text==b){text=c}", "const d=a;if(d==b){d=c}"),
        ] {
            assert_eq!(shortened(script), expected);
        }
    }

    #[test]
    fn no_two_names_become_one() {
        let script = include_str!("../../assets/replay.js");
        let code = Code::of(pieces(script).into_iter().filter(|(kind, _)| !matches!(kind, Kind::Blank(_))).collect());
        let names = short_names(&code);
        let short: BTreeSet<&str> = names.values().map(String::as_str).collect();
        assert!(short.len() == names.len() && names.len() > 40, "{names:?}");
        assert!(code.words().all(|at| !short.contains(code.text(at))));
        for foreign in
            ["document", "history", "location", "parseInt", "parseFloat", "isNaN", "setTimeout", "Math", "JSON"]
        {
            assert!(!names.contains_key(foreign), "{foreign}");
        }
    }
}
