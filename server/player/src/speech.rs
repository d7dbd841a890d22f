//! The conversation with a program, a line of JSON each way: docs/guides/programs.md. Requests are made from the bytes
//! that libraries get, by the types of the fields; answers become the same bytes. Lines are hostile.

mod structs;

use agon_abi::{BODY, Blob, NAME_CAP, NameFlaw, Reply, RequestKind, Shape, Type};
use agon_games::{Facts, LaterField};
use serde_json::{Map, Value, json};
use structs::{names, number, options, piece, put_struct};

/// The longest line of a program, bytes.
pub(crate) const LONGEST_LINE: usize = 64 << 10;
/// The most characters shown of a line that cannot be understood.
const SHOWN: usize = 120;
/// The only address that leads to a text: lines `key = value`.
const OPTIONS: &str = "agon_setup.options";
/// Fields that only libraries use.
const OF_LIBRARIES: [&str; 4] = ["agon_setup.size", "agon_setup.abi", "agon_setup.services", "agon_turn.size"];

/// The contents of the reserved fields of all heads, by name: 0 where there are no periods.
const OF_HEADS: [LaterField; 2] = [
    LaterField { field: "agon_setup.reserved", index: 0, name: "period" },
    LaterField { field: "agon_turn.reserved", index: 0, name: "moves_left" },
];

/// The game of the conversation.
#[derive(Clone, Copy, Debug)]
pub struct Speech {
    game: &'static str,
    setup: Shape,
    turn: Shape,
    mv: Shape,
    later: &'static [LaterField],
}

/// A program's answer that was understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramAnswer {
    /// The program's name, in the form in which a host reports it.
    pub name: (i32, Vec<u8>),
    /// Why the program does not play.
    pub declined: Option<String>,
    pub mv: Vec<u8>,
    /// The log lines that came with it: a key, a tab and a value, as libraries log.
    pub log: String,
}

impl Speech {
    /// Makes the conversation for this game.
    pub fn of(facts: &Facts) -> Speech {
        Speech { game: facts.name, setup: facts.setup, turn: facts.turn, mv: facts.mv, later: facts.later_fields }
    }

    /// Writes a request as a line; `None` for requests that no program gets.
    pub(crate) fn request(&self, kind: RequestKind, blob: &Blob) -> Option<Vec<u8>> {
        let line = match kind {
            RequestKind::Initialize => {
                json!({ "ask": "setup", "game": self.game, "setup": self.fields(blob, &self.setup, 0) })
            }
            RequestKind::Play => json!({ "ask": "move", "turn": self.fields(blob, &self.turn, 0) }),
            _ => return None,
        };
        let mut line = line.to_string().into_bytes();
        line.push(b'\n');
        Some(line)
    }

    /// Reads a line, without its end, as the answer to such a request.
    ///
    /// # Errors
    /// The text says what is wrong with it, and what to do.
    pub(crate) fn answer(&self, kind: RequestKind, line: &[u8]) -> Result<ProgramAnswer, String> {
        let value: Value = serde_json::from_slice(line).map_err(|_| {
            let help = "print only answers to stdout, and everything else to stderr";
            format!("a line that is not JSON: {}; help: {help}", line_excerpt(line))
        })?;
        let (keys, example) = match kind {
            RequestKind::Initialize => (&["name", "declined", "log"][..], r#"{"name": "anna"}"#.to_owned()),
            _ => {
                let fields: Vec<String> = names(&self.mv).map(|name| format!("\"{name}\": …")).collect();
                (&["move", "log"][..], format!("{{\"move\": {{{}}}}}", fields.join(", ")))
            }
        };
        let wrong = |what: String| format!("{what}: {}; help: answer {example}", line_excerpt(line));
        let Value::Object(answer) = value else { return Err(wrong("a line that is not an object".to_owned())) };
        if let Some(key) = answer.keys().find(|key| !keys.contains(&key.as_str())) {
            let known = keys.join(", ");
            return Err(wrong(format!("an answer with \"{}\", which is none of {known}", key.escape_debug())));
        }
        let log = answer.get("log").map_or(Ok(String::new()), logged).map_err(wrong)?;
        match kind {
            RequestKind::Initialize => setup_answer(&answer).map(|said| ProgramAnswer { log, ..said }).map_err(wrong),
            _ => {
                let mv = answer.get("move").ok_or_else(|| wrong("an answer without a move".to_owned()))?;
                if mv.is_null() {
                    let what = "a move that is null, as of a function that ends without return (in Python None)";
                    return Err(wrong(what.to_owned()));
                }
                let mut bytes = vec![0; self.mv.size as usize];
                put_struct(mv, &self.mv, &mut bytes).map_err(wrong)?;
                Ok(ProgramAnswer { mv: bytes, log, ..ProgramAnswer::default() })
            }
        }
    }

    fn fields(&self, blob: &Blob, shape: &Shape, at: usize) -> Value {
        let mut object = Map::new();
        for field in shape.fields {
            let name = field.own_name();
            let start = at + field.offset as usize;
            if field.name == OPTIONS {
                object.insert(name.to_owned(), options(blob, start));
            } else if name.starts_with("reserved") {
                object.extend(self.later(blob, field.name, start));
            } else if !OF_LIBRARIES.contains(&field.name) {
                object.insert(name.to_owned(), self.value(blob, field.kind, start));
            }
        }
        Value::Object(object)
    }

    /// The numbers of a reserved field that have a meaning.
    fn later(&self, blob: &Blob, field: &str, at: usize) -> impl Iterator<Item = (String, Value)> {
        let known = OF_HEADS.iter().chain(self.later).filter(move |later| later.field == field);
        known.map(move |later| (later.name.to_owned(), number(blob, at + 8 * later.index, 8).into()))
    }

    /// The value at a place. A number of four or eight bytes with all bits set means that there is none.
    fn value(&self, blob: &Blob, kind: Type, at: usize) -> Value {
        match kind {
            Type::Unsigned(size) => match number(blob, at, size) {
                u64::MAX if size == 8 => Value::Null,
                0xffff_ffff if size == 4 => Value::Null,
                number => number.into(),
            },
            Type::Signed(size) => {
                let unused = 64 - 8 * size;
                (((number(blob, at, size) << unused) as i64) >> unused).into()
            }
            Type::Array(of, count) => self.list(blob, *of, at, count),
            Type::Struct(shape) => self.fields(blob, shape, at),
            Type::Pointer(to) => match piece(blob, at) {
                None => Value::Null,
                Some((start, size)) => self.list(blob, *to, start, size.checked_div(to.size()).unwrap_or(0)),
            },
            Type::Opaque => Value::Null,
        }
    }

    fn list(&self, blob: &Blob, of: Type, start: usize, count: u32) -> Value {
        (0..count as usize).map(|index| self.value(blob, of, start + index * of.size() as usize)).collect()
    }
}

fn setup_answer(answer: &Map<String, Value>) -> Result<ProgramAnswer, String> {
    let text = |key: &str| match answer.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("an answer whose \"{key}\" is not text")),
    };
    let name = text("name")?.map_or((NameFlaw::Null as i32, Vec::new()), |name| match name.len() {
        0..=NAME_CAP => (NameFlaw::None as i32, name.into_bytes()),
        _ => (NameFlaw::Endless as i32, name.into_bytes()),
    });
    Ok(ProgramAnswer { name, declined: text("declined")?, ..ProgramAnswer::default() })
}

/// Reads numbers and texts by their keys; keys that look like the host's own lines are refused.
fn logged(value: &Value) -> Result<String, String> {
    let Value::Object(entries) = value else { return Err("an answer whose \"log\" is not an object".to_owned()) };
    let mut lines = String::new();
    for (key, value) in entries {
        let is_key = !key.is_empty() && !key.starts_with("agon.") && key != "declined";
        if !is_key || key.contains(char::is_control) {
            return Err(format!("a log with \"{}\", which is not a key", key.escape_debug()));
        }
        let text = match value {
            Value::String(text) => text.replace(char::is_control, " "),
            Value::Number(number) => number.to_string(),
            _ => return Err(format!("a log whose \"{key}\" is neither a number nor a text")),
        };
        lines += &format!("{key}\t{text}\n");
    }
    Ok(lines)
}

impl ProgramAnswer {
    /// Turns it into the reply of a host.
    pub fn reply(&self, sequence: u32, kind: RequestKind) -> Reply {
        let mut body = [0; BODY];
        let length = self.mv.len().min(BODY);
        body[..length].copy_from_slice(&self.mv[..length]);
        let status = i32::from(self.declined.is_some());
        Reply { sequence, kind: kind as u32, status, length: length as u32, body }
    }
}

/// The beginning of a line, made safe to show.
pub(crate) fn line_excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]);
    let more = if text.chars().count() > SHOWN { "…" } else { "" };
    let plain = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c });
    plain.collect::<String>() + more
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_abi::{Layout, SetupHead, TurnHead};
    use agon_games::GAMES;

    agon_abi::pod! {
        /// Of a game with moves of numbers and lists.
        pub struct Move = "heaps_move" {
            /// A number.
            pub heap: u32,
            /// Another.
            pub split: u32,
            /// A list.
            pub v: [u8; 3],
            /// Zero.
            pub reserved0: u8,
        }
    }

    fn heaps() -> Speech {
        Speech { game: "heaps", setup: SetupHead::SHAPE, turn: TurnHead::SHAPE, mv: Move::SHAPE, later: &[] }
    }

    #[test]
    fn a_move_is_the_bytes_of_the_struct() {
        let mv = |line: &str| heaps().answer(RequestKind::Play, line.as_bytes()).unwrap().mv;
        assert_eq!(mv(r#"{"move": {"heap": 2, "split": 300}}"#), [2, 0, 0, 0, 0x2c, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(mv(r#"{"move": {"v": [3, 1]}}"#)[8..], [3, 1, 0, 0]);
        assert_eq!(mv(r#"{"move": {"heap": null}}"#)[..5], [255, 255, 255, 255, 0]);
    }

    #[test]
    fn what_is_no_answer_is_told_with_the_line() {
        for (line, why) in [
            ("thinking...", "a line that is not JSON: thinking...; help: print only answers to stdout"),
            ("[]", "a line that is not an object: []"),
            ("{}", "an answer without a move: {}"),
            (r#"{"move": {}}"#, "an empty move, which has heap, split, v"),
            (r#"{"move": 3}"#, "a move that is not an object with heap, split, v"),
            (r#"{"move": null}"#, "a move that is null, as of a function that ends without return"),
            (r#"{"move": {"heap": 1, "spilt": 2}}"#, "a move with \"spilt\", which is none of heap, split, v"),
            (
                r#"{"move": {"heap": -1}}"#,
                "a move whose \"heap\" is wrong: -1 is not a whole number from 0 to 4294967295",
            ),
            (r#"{"move": {"heap": 1.5}}"#, "a move whose \"heap\" is wrong: 1.5 is not a whole number"),
            (r#"{"move": {"heap": "1"}}"#, "a move whose \"heap\" is wrong: a whole number is expected"),
            (r#"{"move": {"v": [1, 2, 3, 4]}}"#, "a move whose \"v\" is wrong: 4 values, 3 at most"),
            (r#"{"move": {"v": [256]}}"#, "a move whose \"v\" is wrong: 256 is not a whole number from 0 to 255"),
            (r#"{"answer": 1}"#, "an answer with \"answer\", which is none of move, log"),
        ] {
            let error = heaps().answer(RequestKind::Play, line.as_bytes()).unwrap_err();
            assert!(error.starts_with(why), "{line}: {error}");
            let is_json = line.starts_with(['{', '[']);
            assert!(
                !is_json || error.ends_with(r#"help: answer {"move": {"heap": …, "split": …, "v": …}}"#),
                "{error}"
            );
        }
        let deep = "[".repeat(LONGEST_LINE);
        assert!(heaps().answer(RequestKind::Play, deep.as_bytes()).unwrap_err().len() < 1000);
    }

    #[test]
    fn a_setup_is_answered_by_a_name_or_a_reason() {
        let said = |line: &str| heaps().answer(RequestKind::Initialize, line.as_bytes());
        assert_eq!(said(r#"{"name": "anna"}"#).unwrap().name, (0, b"anna".to_vec()));
        assert_eq!(said("{}").unwrap().name.0, 1);
        assert_eq!(said(r#"{"declined": "too large"}"#).unwrap().declined.as_deref(), Some("too large"));
        assert!(said(r#"{"name": 3}"#).unwrap_err().starts_with("an answer whose \"name\" is not text"));
    }

    #[test]
    fn what_is_logged_comes_as_lines_that_are_no_host_s() {
        let said = |log: &str| {
            heaps().answer(RequestKind::Play, format!(r#"{{"move": {{"heap": 1}}, "log": {log}}}"#).as_bytes())
        };
        let lines = said(r#"{"value": -2.5, "line": "3\n4", "depth": 7}"#).unwrap().log;
        assert_eq!(lines, "depth\t7\nline\t3 4\nvalue\t-2.5\n");
        assert_eq!(said("{}").unwrap().log, "");
        for (log, why) in [
            ("3", "an answer whose \"log\" is not an object"),
            (r#"{"agon.crash": "no"}"#, "a log with \"agon.crash\", which is not a key"),
            (r#"{"declined": "no"}"#, "a log with \"declined\", which"),
            (r#"{"a\tb": 1}"#, "a log with \"a\\tb\", which"),
            (r#"{"": 1}"#, "a log with \"\", which"),
            (r#"{"value": null}"#, "a log whose \"value\" is neither"),
        ] {
            let error = said(log).unwrap_err();
            assert!(error.starts_with(why), "{log}: {error}");
        }
    }

    #[test]
    fn every_game_is_told_by_its_fields() {
        for game in GAMES {
            let (facts, speech) = (game.facts(), Speech::of(game.facts()));
            let options = agon_games::Options::from_pairs(facts.small.first().copied().unwrap_or_default());
            let state = game.prepare(&options, facts.seats.0).unwrap().start(&agon_model::opening(1, 1));
            let mut blob = Blob::new();
            state.setup(0, &mut blob);
            let text = blob.push_text("depth = 3\n");
            blob.link(std::mem::offset_of!(SetupHead, options), text);
            let line: Value = serde_json::from_slice(&speech.request(RequestKind::Initialize, &blob).unwrap()).unwrap();
            assert_eq!(line["setup"]["head"]["options"]["depth"], "3", "{}", facts.name);
            assert_eq!(line["setup"]["head"]["period"], 0, "{}", facts.name);
            let first = state.to_move().iter().next().unwrap();
            blob.clear();
            state.turn(first, &mut blob);
            let line: Value = serde_json::from_slice(&speech.request(RequestKind::Play, &blob).unwrap()).unwrap();
            assert_eq!(line["turn"]["head"]["moves_left"], 0, "{}", facts.name);
            assert!(line["turn"]["head"]["ply"].is_u64() && !line.to_string().contains("reserved"), "{line}");
        }
    }

    #[test]
    fn what_came_later_is_told_by_its_name() {
        let mut later = 0;
        for game in GAMES.iter().filter(|game| !game.facts().later_fields.is_empty()) {
            let facts = game.facts();
            let options = agon_games::Options::from_pairs(facts.small.first().copied().unwrap_or_default());
            let mut blob = Blob::new();
            game.prepare(&options, facts.seats.0).unwrap().start(&agon_model::opening(1, 1)).setup(0, &mut blob);
            let head: SetupHead = agon_abi::read(blob.bytes()).unwrap();
            blob.put(0, &SetupHead { reserved: [40, 0, 0, 0], ..head });
            let of_setup = |field: &LaterField| facts.setup.fields.iter().find(|known| known.name == field.field);
            for (number, field) in facts.later_fields.iter().enumerate() {
                blob.put(of_setup(field).unwrap().offset as usize + 8 * field.index, &(number as u64 + 7));
            }
            let line = Speech::of(facts).request(RequestKind::Initialize, &blob).unwrap();
            let setup = &serde_json::from_slice::<Value>(&line).unwrap()["setup"];
            assert_eq!(setup["head"]["period"], 40);
            for (number, field) in facts.later_fields.iter().enumerate() {
                assert_eq!(setup[field.name], number + 7, "{} of {}", field.name, facts.name);
                later += 1;
            }
        }
        assert!(later > 0, "no game has such a field");
    }
}
