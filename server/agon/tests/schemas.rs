//! The schemas in `docs/schemas`: what commands print with `--json` keeps to them, and a broken promise is found.

mod kept;

use crate::builder::{Arena, Ran};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Commands, each with the file of its schema.
const COMMANDS: [(&str, &str); 16] = [
    ("standings ladder.toml", "standings"),
    ("standings ladder.toml --ratings", "ratings"),
    ("standings ladder.toml --crosstable", "crosstable"),
    ("matches ladder.toml", "matches"),
    ("clients ladder.toml", "clients"),
    ("teams ladder.toml", "teams"),
    ("show last", "show"),
    ("show last --moves", "show"),
    ("elo --counts 1,2,3", "elo"),
    ("elo --counts 1,2,3,4,5", "elo"),
    ("explain", "explain"),
    ("explain cpu-time", "explain"),
    ("doctor", "doctor"),
    ("analyse -b mini-3 -c random", "analysis"),
    ("check clients/random.so -n 1 -o board=mini-3", "check"),
    ("match random:x=1 greedy -b mini-3 -n 2 -q", "standings"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

fn schema(name: &str) -> Value {
    let file = folder().join(format!("{name}.json"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The words of JSON Schema that the files use; others would be passed over in silence.
const WORDS: [&str; 8] =
    ["$schema", "title", "type", "enum", "required", "properties", "additionalProperties", "items"];

/// Whether a value has one of a schema's types.
fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is not a type of JSON Schema"),
    }
}

/// Whether the type that a schema names, or one of several, is that of the value.
fn fits_type(value: &Value, types: &Value) -> bool {
    match types {
        Value::String(name) => has_type(value, name),
        Value::Array(names) => names.iter().any(|name| has_type(value, name.as_str().unwrap())),
        other => panic!("{other} is not a type of JSON Schema"),
    }
}

/// What is wrong with a value, a line each, with the place in the document.
fn mistakes(value: &Value, schema: &Value, place: &str) -> Vec<String> {
    let words = schema.as_object().unwrap();
    for word in words.keys() {
        assert!(WORDS.contains(&word.as_str()), "{place}: this test does not know the word {word}");
    }
    let mut found = Vec::new();
    if words.get("type").is_some_and(|types| !fits_type(value, types)) {
        found.push(format!("{place}: {value} is not {}", words["type"]));
    }
    if words.get("enum").is_some_and(|known| !known.as_array().unwrap().contains(value)) {
        found.push(format!("{place}: {value} is not one of {}", words["enum"]));
    }
    if let (Some(items), Some(values)) = (words.get("items"), value.as_array()) {
        for (index, value) in values.iter().enumerate() {
            found.extend(mistakes(value, items, &format!("{place}[{index}]")));
        }
    }
    found.extend(mistakes_of_keys(value, schema, place));
    found
}

/// The same for the keys of an object.
fn mistakes_of_keys(value: &Value, schema: &Value, place: &str) -> Vec<String> {
    let Some(object) = value.as_object() else { return Vec::new() };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let mut found: Vec<String> = required
        .map(|key| key.as_str().unwrap())
        .filter(|key| !object.contains_key(*key))
        .map(|key| format!("{place}: {key} is missing"))
        .collect();
    for (key, value) in object {
        let known = schema.get("properties").and_then(|keys| keys.get(key));
        if let Some(schema) = known.or_else(|| schema.get("additionalProperties")) {
            found.extend(mistakes(value, schema, &format!("{place}.{key}")));
        }
    }
    found
}

/// Lists keys that the schema does not describe: nothing would hold their types.
fn strangers(value: &Value, schema: &Value, place: &str) -> Vec<String> {
    let inner = |key: &str| schema.get("properties").and_then(|keys| keys.get(key));
    let of_key = |(key, value): (&String, &Value)| match inner(key).or_else(|| schema.get("additionalProperties")) {
        Some(schema) => strangers(value, schema, &format!("{place}.{key}")),
        None => vec![format!("{place}.{key} is not in the schema: add it")],
    };
    match (value, schema.get("items")) {
        (Value::Object(object), _) => object.iter().flat_map(of_key).collect(),
        (Value::Array(values), Some(items)) => {
            let of_item = |(index, value)| strangers(value, items, &format!("{place}[{index}]"));
            values.iter().enumerate().flat_map(of_item).collect()
        }
        (Value::Array(values), None) if !values.is_empty() => vec![format!("{place}: the schema has no items")],
        _ => Vec::new(),
    }
}

/// Lists the places where a document of agon breaks its schema, or where the schema does not describe it.
pub fn flaws(value: &Value, name: &str, place: &str) -> Vec<String> {
    let schema = schema(name);
    [mistakes(value, &schema, place), strangers(value, &schema, place)].concat()
}

/// A ladder with matches, among them one that ends by a fault.
fn arena() -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.ladder_toml(
        "[ladder]\nname = \"mine\"\ngame = \"amazons\"\nopenings = 2\n\
         clients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n\
         [[client]]\nname = \"declines\"\nfile = \"clients/random.so\"\noptions = { x = \"1\" }\n",
    );
    arena
}

fn document(ran: &Ran, command: &str) -> Value {
    assert!(matches!(ran.status, Some(0 | 5)), "{command}: {ran:?}");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{command}: {error}: {ran:?}"))
}

#[test]
fn what_commands_print_for_programs_keeps_to_its_schema() {
    let arena = arena();
    let ran = arena.agon(["ladder", "-q", "--json"]);
    assert_eq!(flaws(&document(&ran, "ladder"), "standings", "ladder"), Vec::<String>::new());
    for (command, name) in COMMANDS {
        let ran = arena.agon(command.split(' ').chain(["--json"]));
        let found = flaws(&document(&ran, command), name, command);
        assert!(found.is_empty(), "docs/schemas/{name}.json:\n{}", found.join("\n"));
    }
}

/// A record of everybody that a class may have: a client that was not played yet, one that is benched, one that left,
/// one without a file, one that is refused, one that came late, a reference client and several versions.
fn class() -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    let client = |name: &str| {
        format!("[[client]]\nname = \"{name}\"\nfile = \"clients/random.so\"\noptions = {{ x = \"{name}\" }}\n")
    };
    let ladder = |keys: &str, names: &[&str]| {
        let clients: String = names.iter().map(|name| client(name)).collect();
        arena.ladder_toml(&format!(
            "[ladder]\nname = \"all\"\ngame = \"amazons\"\nopenings = 2\n{keys}[options]\nboard = \"mini-3\"\n\
             [grades]\nsteps = [\"6: 0.55\"]\notherwise = \"1\"\n{clients}"
        ));
    };
    ladder("", &["ann", "bob", "dan", "eve"]);
    arena.file("clients/refused.so", "a text");
    arena.agon(["ladder", "-q"]).well();
    arena.file("clients/ann.refused", "it could not be built");
    arena.agon(["clients", "--withdraw", "bob"]).well();
    arena.agon(["clients", "--bench", "eve"]).well();
    // One that joins when the others have played is known before its first match.
    let closing = format!("closing = \"{}\"\n", crate::builder::moment(-3600));
    ladder(&closing, &["ann", "bob", "eve", "new"]);
    arena.file("clients/late.so", "late");
    arena.agon(["ladder", "-q"]).well();
    arena
}

#[test]
fn records_of_every_kind_of_client_keep_to_their_schemas() {
    let arena = class();
    let of_clients = arena.agon(["clients", "--json"]).json();
    for status in ["playing", "benched", "withdrawn", "refused", "late"] {
        let all = of_clients["clients"].as_array().unwrap();
        assert!(all.iter().any(|client| client["status"] == status), "{status}: {of_clients}");
    }
    let ids = arena.agon(["matches", "--json"]).json();
    let id = ids["matches"][0]["id"].as_str().unwrap().to_owned();
    let show = format!("show {id}");
    let mut found = Vec::new();
    for (command, name) in [
        ("standings", "standings"),
        ("standings --staff greedy --staff ann-2 --staff bob", "standings"),
        ("standings --staff greedy --lineups", "standings"),
        ("standings --sort client", "standings"),
        ("standings --ratings", "ratings"),
        ("standings --crosstable", "crosstable"),
        ("clients", "clients"),
        ("teams", "teams"),
        ("matches", "matches"),
        (&show, "show"),
        ("ladder -q", "standings"),
    ] {
        let ran = arena.agon(command.split(' ').chain(["--json"]));
        found.extend(flaws(&document(&ran, command), name, command));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn ladders_of_every_kind_keep_to_their_schemas() {
    let arena = Arena::new();
    ["random", "greedy", "grundy", "mastermind", "tirs"].iter().for_each(|client| drop(arena.rust_client(client)));
    let six = arena.six_clients(&["smallest", "middle"]);
    let amazons = "game = \"amazons\"\nclients = [\"clients/random.so\", \"clients/greedy.so\"]\n";
    let more = "[options]\nboard = \"mini-3\"\n[[client]]\nname = \"x\"\nfile = \"clients/random.so\"\noptions = { x = \"1\" }\n";
    let mut found = Vec::new();
    for (number, text) in [
        format!("{amazons}pairing = \"swiss\"\nrounds = 2\n{more}"),
        format!("{amazons}pairing = \"knockout\"\n{more}"),
        format!("{amazons}pairing = \"continuous\"\nblocks = 3\n{more}"),
        format!("{amazons}{more}time = \"5+1\"\n[adjudication]\nmoves = 4\nchecked = 1\n"),
        "game = \"mastermind\"\nclients = [\"clients/mastermind.so\"]\n".to_owned(),
        format!("game = \"six_qui_prend\"\nclients = []\nseats = 3\nlineup = [\"six-smallest\", \"six-middle\", \"six-middle\"]\n{six}"),
        format!("{amazons}{more}[run]\nsandbox = \"off\"\n"),
    ]
    .iter()
    .enumerate()
    {
        arena.ladder_toml(&format!("[ladder]\nname = \"l{number}\"\n{text}"));
        for (command, name) in [
            ("ladder -q", "standings"),
            ("standings ladder.toml --lineups", "standings"),
            ("standings ladder.toml --ratings", "ratings"),
            ("standings ladder.toml --crosstable", "crosstable"),
            ("clients ladder.toml", "clients"),
            ("matches ladder.toml", "matches"),
            ("show last --moves", "show"),
        ] {
            let ran = arena.agon(command.split(' ').chain(["--json"]));
            let place = format!("{command} of {text}");
            // A game of one seat has no ratings.
            if matches!(ran.status, Some(0 | 5)) {
                found.extend(flaws(&document(&ran, &place), name, &place));
            } else {
                assert!(["ratings", "crosstable"].contains(&name), "{place}: {ran:?}");
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_a_test_of_two_versions_prints_keeps_to_its_schema() {
    let arena = arena();
    let line = "sprt random greedy -b mini-3 --most 2 --these-openings -q --json";
    let found = arena.agon(line.split(' ')).verdict();
    assert_eq!(flaws(&found, "sprt", "sprt"), Vec::<String>::new());
}

#[test]
fn each_schema_names_the_form_that_it_describes() {
    let files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let schema = schema(name);
        let title = schema["title"].as_str().unwrap();
        assert!(title.starts_with(&format!("agon.{name}/")), "{name}: {title}");
        assert_eq!(schema["properties"]["schema"]["enum"], json!([title]), "{name}");
    }
}

#[test]
fn a_document_that_breaks_its_promise_is_found() {
    let schema = schema("matches");
    let seat = json!({"label": "anna", "rank": 1, "score": 1, "fault": null, "notices": 0});
    let of = |seat: &Value| {
        let one = json!({"id": "a-1", "setting": "mini-3", "ending": "over", "plies": 4, "seats": [seat]});
        json!({"schema": "agon.matches/1", "ladder": "mine", "matches": [one]})
    };
    assert_eq!(mistakes(&of(&seat), &schema, "matches"), Vec::<String>::new());
    let mut without = seat.clone();
    without.as_object_mut().unwrap().remove("rank");
    assert_eq!(mistakes(&of(&without), &schema, "d"), ["d.matches[0].seats[0]: rank is missing"]);
    let mut retyped = seat.clone();
    retyped["rank"] = json!("first");
    assert_eq!(mistakes(&of(&retyped), &schema, "d").len(), 1);
    let mut other = of(&seat);
    other["schema"] = json!("agon.matches/2");
    assert_eq!(mistakes(&other, &schema, "d").len(), 1);
    let mut more = seat;
    more["new"] = json!(true);
    assert!(mistakes(&of(&more), &schema, "d").is_empty(), "a new key breaks nothing");
}
