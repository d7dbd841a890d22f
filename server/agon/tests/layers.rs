//! The order of the code: which package and which module may use which, where games may be named, where unsafe code and
//! printing may stand. Each failure names file and line.

use agon_games::GAMES;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// The files with unsafe code, tests and examples left out.
const UNSAFE: [&str; 40] = [
    "abi/src/descriptor.rs",
    "abi/src/head.rs",
    "abi/src/pod.rs",
    "client-api/src/export.rs",
    "client-api/src/view.rs",
    "clients/classic/src/course.rs",
    "clients/classic/src/gsl.rs",
    "clients/classic/src/heap.rs",
    "clients/classic/src/matrix.rs",
    "clients/classic/src/scope.rs",
    "clients/six-best/src/avx2.rs",
    "host/src/channel.rs",
    "host/src/client.rs",
    "host/src/crash.rs",
    "host/src/data.rs",
    "host/src/fork_server.rs",
    "host/src/guard.rs",
    "host/src/library.rs",
    "host/src/line.rs",
    "host/src/main.rs",
    "host/src/name.rs",
    "host/src/program.rs",
    "host/src/registers.rs",
    "host/src/sandbox/answer.rs",
    "host/src/sandbox/building.rs",
    "host/src/sandbox/capabilities.rs",
    "host/src/sandbox/landlock.rs",
    "host/src/sandbox/limits.rs",
    "host/src/sandbox/privileges.rs",
    "host/src/sandbox/reach.rs",
    "host/src/sandbox/seccomp.rs",
    "host/src/sandbox/trap.rs",
    "host/src/services.rs",
    "search/src/avx2.rs",
    "search/src/avx2/layer.rs",
    "search/src/avx2/pair.rs",
    "search/src/avx2/rows.rs",
    "server/agon/src/doctor/kernel.rs",
    "server/player/src/clock/process_clock.rs",
    "server/player/src/spawn.rs",
];

/// Where commands are, which print; their `print!` makes visible what it writes.
const COMMANDS: [&str; 7] = [
    "server/command/",
    "server/authoring/",
    "server/live/",
    "server/console/",
    "server/agon/",
    "server/machines/",
    "server/lab/",
];

/// Parts of the names of games, which must not be written into the core either.
const ROOTS: [&str; 2] = ["amazon", "tirs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every file below `folder` with this ending: its path from the root, and its text.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for path in
            fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).map(|e| e.unwrap().path())
        {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if name.ends_with(ending) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_string_lossy().into_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "no {ending} below {folder}: this test looks in the wrong place");
    found.sort();
    found
}

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

/// The packages of the server that a change in this one builds again, itself left out.
fn built_again(name: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut open = vec![name];
    while let Some(changed) = open.pop() {
        let users = SERVER.iter().filter(|(_, used)| used.contains(&changed)).map(|(package, _)| *package);
        open.extend(users.filter(|package| found.insert(*package)).collect::<Vec<_>>());
    }
    found
}

#[test]
fn a_change_builds_little_again() {
    for (package, most) in [("config", 7), ("arena", 8), ("report", 4), ("web", 5), ("transfer", 2), ("postgres", 1)] {
        let again = built_again(package);
        assert!(again.len() <= most, "a change in server/{package} builds {} again: {again:?}", again.len());
    }
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

#[test]
fn unsafe_code_stands_where_it_is_listed() {
    let sources = files("", ".rs");
    let in_product = |file: &str| file.contains("src/") && !file.contains("tests/");
    // As rustfmt writes it; the word alone may stand in a text.
    let forms = ["{", "fn", "impl", "extern", "trait"].map(|what| format!("unsafe {what}"));
    let is_unsafe = |line: &str| forms.iter().any(|form| code(line).contains(form));
    let found = lines_where(&sources, |file, line| {
        (in_product(file) && is_unsafe(line) && !UNSAFE.contains(&file))
            .then(|| "unsafe code outside of the list".to_owned())
    });
    assert_none(&found);
    for file in UNSAFE {
        let listed = sources.iter().find(|(name, _)| name == file);
        let text = &listed.unwrap_or_else(|| panic!("{file} is listed and not there")).1;
        assert!(text.lines().any(is_unsafe), "{file} is listed and has no unsafe code");
    }
}

#[test]
fn only_the_command_line_prints() {
    const PRINTING: [&str; 4] = ["print!(", "println!(", "eprint!(", "eprintln!("];
    for folder in ["abi/src", "boards/src", "games/src", "search/src", "host/src", "admit/src", "stats/src", "server"] {
        // The tests at the end of a file may say what they lack.
        let product = |text: String| text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        let sources: Vec<_> = files(folder, ".rs").into_iter().map(|(file, text)| (file, product(text))).collect();
        let found = lines_where(&sources, |file, line| {
            let is_program =
                ["/build.rs", "src/main.rs"].iter().any(|end| file.ends_with(end)) || file.contains("/examples/");
            let is_test = file.split('/').nth(2) == Some("tests");
            let may = COMMANDS.iter().any(|folder| file.starts_with(folder)) || is_program;
            let prints = PRINTING.iter().any(|print| code(line).contains(print));
            (prints && !may && !is_test).then(|| "it prints".to_owned())
        });
        assert_none(&found);
    }
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
