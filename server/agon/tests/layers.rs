//! The order of the code: which package and which module may use which, and where games may be named. Each failure names
//! file and line.

use crate::tree::files;
use agon_games::GAMES;
use std::collections::{BTreeMap, BTreeSet};

/// Which packages each package outside of the server may use; folders below `clients/` are one package here.
const PACKAGES: [(&str, &[&str]); 14] = [
    ("abi", &[]),
    ("boards", &[]),
    ("stats", &[]),
    ("games", &["agon-abi", "agon-boards"]),
    ("client-api", &["agon-abi", "agon-games"]),
    ("search", &["agon-abi", "agon-boards", "agon-games"]),
    ("host", &["agon-abi"]),
    ("admit", &["agon-abi", "agon-games", "agon-client-api", "agon-host"]),
    ("clients", &["agon-client-api", "agon-search"]),
    ("tools/dev", &[]),
    ("tools/png", &[]),
    ("tools/skips", &[]),
    ("tools/train", &["agon-boards", "agon-client-api", "agon-games", "agon-search", "agon-stats"]),
    (
        "fuzz",
        &[
            "agon-abi",
            "agon-admit",
            "agon-authoring",
            "agon-boards",
            "agon-config",
            "agon-games",
            "agon-host",
            "agon-live",
            "agon-model",
            "agon-player",
            "agon-record",
            "agon-transfer",
        ],
    ),
];

/// What the server's packages may use of those outside.
const BELOW_SERVER: [&str; 4] = ["agon-abi", "agon-games", "agon-stats", "agon-host"];

/// The server's packages, each with those of the server that it may use. Only what follows `agon` knows a database
/// server.
const SERVER: [(&str, &[&str]); 21] = [
    ("model", &[]),
    ("files", &["model"]),
    ("record", &["model"]),
    ("playback", &["model"]),
    ("web", &["model", "playback"]),
    ("config", &["files", "model"]),
    ("player", &["files", "model"]),
    ("transfer", &["model", "record"]),
    ("report", &["model", "playback", "record"]),
    ("command", &["config", "files", "model", "record"]),
    ("arena", &["files", "model", "player"]),
    ("attacks", &["arena", "model", "player"]),
    ("crew", &["arena", "files", "model", "player", "record"]),
    ("tournament", &["arena", "crew", "files", "model", "player", "record"]),
    ("live", &["command", "files", "model", "playback", "record", "report", "web"]),
    ("authoring", &["arena", "command", "config", "files", "model", "playback", "player", "tournament"]),
    ("console", &["command", "config", "live", "model", "playback", "player", "tournament", "web"]),
    (
        "agon",
        &[
            "arena",
            "attacks",
            "authoring",
            "command",
            "config",
            "console",
            "crew",
            "files",
            "live",
            "model",
            "playback",
            "player",
            "record",
            "report",
            "tournament",
            "transfer",
            "web",
        ],
    ),
    ("postgres", &["model", "record"]),
    ("machines", &["agon", "command", "live", "postgres"]),
    ("lab", &["arena", "command", "config", "crew", "model", "player", "record", "tournament", "web"]),
];

/// Which packages the one in this folder may use; none if it has no place.
fn allowed(folder: &str) -> Option<Vec<String>> {
    let outside = |(name, packages): &(&str, &[&str])| {
        let is_it = folder == *name || folder.starts_with(&format!("{name}/"));
        is_it.then(|| packages.iter().map(|package| (*package).to_owned()).collect())
    };
    let server = |name: &str| {
        let (_, used) = SERVER.iter().find(|(package, _)| *package == name)?;
        let used = used.iter().map(|package| match *package {
            "agon" => "agon".to_owned(),
            package => format!("agon-{package}"),
        });
        Some(BELOW_SERVER.iter().map(|package| (*package).to_owned()).chain(used).collect())
    };
    folder.strip_prefix("server/").map_or_else(|| PACKAGES.iter().find_map(outside), server)
}

/// The folders of all packages that are held to have no cycle of modules.
fn packages() -> impl Iterator<Item = String> {
    let outside = PACKAGES.iter().map(|(package, _)| (*package).to_owned());
    outside.filter(|package| package != TANGLED).chain(SERVER.iter().map(|(package, _)| format!("server/{package}")))
}

/// Not held to have no cycle: it is many packages.
const TANGLED: &str = "clients";

/// Parts of the names of games, which must not be written into the core either.
const ROOTS: [&str; 2] = ["amazon", "tirs"];

/// `file:line: text` of every line that `wrong` finds fault with.
fn lines_where(files: &[(String, String)], wrong: impl Fn(&str, &str) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in files {
        for (number, line) in text.lines().enumerate() {
            found.extend(wrong(file, line).map(|why| format!("{file}:{}: {why}: {}", number + 1, line.trim())));
        }
    }
    found
}

#[track_caller]
fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// The line without its comment; texts with `//` in them are cut too, which hides nothing that these tests look for.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

/// The modules that a line uses by a path from the root, or from beside it where `beside`.
fn used_modules(line: &str, beside: bool) -> BTreeSet<&str> {
    let end = |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let roots = ["crate::", "super::"].into_iter().take(if beside { 2 } else { 1 });
    roots.flat_map(|root| code(line).split(root).skip(1)).map(|rest| &rest[..end(rest)]).collect()
}

/// Which modules below the root of a crate use which.
fn module_graph(sources: &[(String, String)], folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let module = |file: &str| {
        file.strip_prefix(folder).unwrap().trim_start_matches('/').split(['/', '.']).next().unwrap().to_owned()
    };
    let names: BTreeSet<String> =
        sources.iter().map(|(file, _)| module(file)).filter(|name| name != "lib" && name != "main").collect();
    let mut graph: BTreeMap<String, BTreeSet<String>> =
        names.iter().map(|name| (name.clone(), BTreeSet::new())).collect();
    for (file, text) in sources {
        let own = module(file);
        let beside = !file.strip_prefix(folder).unwrap().trim_start_matches('/').contains('/');
        let Some(uses) = graph.get_mut(&own) else { continue };
        for used in text.lines().flat_map(|line| used_modules(line, beside)) {
            if used != own && names.contains(used) {
                uses.insert(used.to_owned());
            }
        }
    }
    graph
}

/// A module that uses itself by way of others, if there is one.
fn cycle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let reaches_itself = |start: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(module) = open.pop() {
            for next in &graph[module] {
                if next == start {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    };
    graph.keys().find(|module| reaches_itself(module)).cloned()
}

#[test]
fn no_modules_use_each_other() {
    let mut found = Vec::new();
    for package in packages() {
        let folder = format!("{package}/src");
        let graph = module_graph(&files(&folder, ".rs"), &folder);
        found.extend(cycle(&graph).map(|module| format!("{folder}: {module} uses itself by way of others: {graph:?}")));
    }
    assert_none(&found);
}

#[test]
fn a_cycle_of_modules_is_found() {
    let file = |name: &str, text: &str| (format!("x/src/{name}"), text.to_owned());
    let mut sources = vec![
        file("a.rs", "use crate::b::B; // crate::c"),
        file("b/deep.rs", "use crate::c;"),
        file("c.rs", "fn c() {}"),
    ];
    assert_eq!(cycle(&module_graph(&sources, "x/src")), None);
    sources.push(file("c.rs", "fn d() { super::a::d() }"));
    assert!(cycle(&module_graph(&sources, "x/src")).is_some());
}

#[test]
fn the_core_names_no_game() {
    let facts = GAMES.iter().map(|game| game.facts());
    let named =
        facts.flat_map(|facts| [facts.name.to_lowercase(), facts.title.to_lowercase(), facts.name.replace('_', " ")]);
    let names: Vec<String> = named.chain(ROOTS.map(str::to_owned)).collect();
    for folder in ["server", "host/src", "admit/src"] {
        let sources: Vec<_> = files(folder, ".rs").into_iter().filter(|(file, _)| file.contains("/src/")).collect();
        let found = lines_where(&sources, |_, line| {
            let line = line.to_lowercase();
            names.iter().find(|name| line.contains(*name)).map(|name| format!("it names the game {name}"))
        });
        assert_none(&found);
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    let sources = files("", ".rs");
    let headless = sources.iter().filter(|(_, text)| !text.starts_with("//! "));
    assert_none(&headless.map(|(file, _)| format!("{file}:1: it does not begin with //!")).collect::<Vec<_>>());
}

/// By `agon_skips` a run ends with what was skipped, and fails where everything must be tested.
#[test]
fn no_test_is_skipped_unheard() {
    let sources = files("", ".rs");
    let word = ["SKIP", "PED"].concat();
    let found = lines_where(&sources, |file, line| {
        (line.contains(&word) && file != "tools/skips/src/lib.rs").then(|| "skipped without agon_skips".to_owned())
    });
    assert_none(&found);
}

#[test]
fn packages_use_only_those_they_may() {
    let manifests =
        files("", "Cargo.toml").into_iter().filter(|(file, _)| file != "Cargo.toml" && !file.contains("tests/"));
    for (file, text) in manifests {
        let folder = file.trim_end_matches("/Cargo.toml");
        let allowed = allowed(folder).unwrap_or_else(|| panic!("{file} has no place"));
        let manifest: toml::Table = text.parse().unwrap();
        let Some(used) = manifest.get("dependencies").and_then(toml::Value::as_table) else { continue };
        for package in used.keys().filter(|name| name.starts_with("agon")) {
            assert!(allowed.contains(package), "{file}: it must not use {package}");
        }
    }
}
