//! Every way in which a ladder can be wrong answers with its place, what is wrong and what to do.

mod clients;
mod kept;
mod match_words;
mod pairing;

use agon_config::{self as config, ConfigError};
use agon_games::{AnyGame, AnyState, BadOption, Facts, Fields, Opening, OptionFact, Options, PreparedSetting, Said};
use agon_model::{ClockKind, LADDER_NAME, Ladder, LadderTerms};
use tempfile::TempDir;

/// A game of options alone: boards `small` and `large`, or a map of one line that has no `!` in it.
struct Tiny {
    facts: &'static Facts,
}

const fn option(key: &'static str, default: &'static str, may_be_file: bool) -> OptionFact {
    OptionFact { key, default, may_be_file, ..OptionFact::BASE }
}

const TINY: Facts = Facts {
    name: "tiny",
    title: "Tiny",
    summary: Said::new("One line.\nAnother.", "Une ligne.\nUne autre."),
    rules_version: 3,
    seats: (2, 4),
    options: &[option("board", "small", true), option("corners", "no", false), option("size", "2", false)],
    ..Facts::BASE
};

static SECRET: Facts = Facts { name: "secret", title: "Secret", hidden: true, seats: (2, 2), options: &[], ..TINY };
static GAMES: &[&dyn AnyGame] = &[&Tiny { facts: &TINY }, &Tiny { facts: &SECRET }];

impl AnyGame for Tiny {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn prepare(&self, options: &Options, _seats: usize) -> Result<Box<dyn PreparedSetting>, BadOption> {
        let board = options.get("board").unwrap_or_default();
        if let Some(line) = board.lines().position(|line| line.contains('!')) {
            let place = Some((line + 1, 1 + board.lines().nth(line).and_then(|line| line.find('!')).unwrap()));
            return Err(BadOption { key: "board".to_owned(), why: "ragged row".to_owned(), place });
        }
        if !self.facts.options.is_empty() {
            if !board.contains('\n') {
                options.choice("board", &[("small", ()), ("large", ())])?;
            }
            options.choice("corners", &[("yes", ()), ("no", ())])?;
            options.number("size", 1..=9)?;
        }
        Ok(Box::new(Tiny { facts: self.facts }))
    }
}

impl PreparedSetting for Tiny {
    fn start(&self, _opening: &Opening) -> Box<dyn AnyState> {
        unimplemented!("no test here plays")
    }

    fn resolved(&self) -> Fields {
        Fields::new()
    }
    fn drawn(&self, _opening: &Opening) -> Fields {
        Fields::new()
    }
    fn seats(&self) -> usize {
        2
    }
    fn rotations(&self) -> usize {
        2
    }
}

/// A folder with two clients, and a few other files.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir_all(folder.path().join("clients")).unwrap();
    std::fs::create_dir_all(folder.path().join("maps")).unwrap();
    for name in ["clients/b.so", "clients/a.so", "clients/notes.txt", "clients/.c.so", "clients/d.so.tmp"] {
        std::fs::write(folder.path().join(name), name).unwrap();
    }
    std::fs::write(folder.path().join("maps/good.toml"), "..\n..\n").unwrap();
    std::fs::write(folder.path().join("maps/bad.toml"), "....\n..!.\n").unwrap();
    folder
}

fn read(text: &str) -> Result<Ladder, ConfigError> {
    config::read(text, "class.toml", folder().path(), GAMES)
}

fn good(text: &str) -> Ladder {
    read(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The messages for a ladder in the folder HERE that is right but for these lines.
fn bad(lines: &str) -> String {
    let folder = folder();
    let text = format!("[ladder]\ngame = \"tiny\"\n{lines}\n");
    let error = config::read(&text, "class.toml", folder.path(), GAMES).unwrap_err().to_string();
    error.replace(folder.path().to_str().unwrap(), "HERE")
}

#[track_caller]
fn says(lines: &str, message: &[&str]) {
    assert_eq!(bad(lines), message.join("\n"), "\n{lines}");
}

#[track_caller]
fn begins(lines: &str, first: &str, help: &str) {
    let text = bad(lines);
    assert_eq!(text.lines().next(), Some(first), "\n{text}");
    assert_eq!(text.lines().last(), Some(format!("help: {help}").as_str()), "\n{text}");
}

#[test]
fn the_defaults_are_those_of_the_manual() {
    let ladder = good("ladder.game = \"tiny\"");
    assert_eq!((ladder.name.as_str(), ladder.game.as_str()), ("class", "tiny"));
    assert_eq!((ladder.seats, ladder.openings, ladder.seed), (2, 1, None));
    assert_eq!(ladder.clients.iter().map(|client| client.name()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(ladder.settings.len(), 1);
    assert_eq!(ladder.settings[0].name, "small");
    assert_eq!(ladder.time.per_move_us, Some(1_000_000));
    assert_eq!((ladder.time.clock, ladder.time.total_us), (ClockKind::Cpu, None));
    assert_eq!((ladder.limits.memory, ladder.limits.threads, ladder.limits.output), (512 << 20, 1, 64 << 10));
    assert_eq!((ladder.jobs, ladder.retry), (None, 2));
    assert_eq!((ladder.bench_after, ladder.watch), (0, false));
    assert_eq!((ladder.points.win, ladder.points.draw, ladder.points.loss, ladder.points.crash), (1000, 500, 0, None));
    assert!(ladder.out.ends_with("agon-out"));
    assert!(ladder.warnings.is_empty());
}

#[test]
fn everything_that_is_written_is_read() {
    let ladder = good(
        "[ladder]\nname = \"x\"\ngame = \"tiny\"\nseats = 3\nopenings = 5\nseed = 18446744073709551615\n\
         exclude = [\"clients/b*\"]\nlineup = [[\"a\", \"a\", \"q\"], [\"q\", \"q\", \"a\"]]\n\
         [options]\nboard = [\"small\", \"maps/good.toml\"]\nsize = [2, 3]\n\
         [time]\ntotal = \"30s\"\nincrement = \"0.1s\"\nclock = \"wall\"\n\
         [run]\njobs = 3\nwithout = [\"seccomp\", \"limits\"]\nlogs = \"faults\"\n\
         [points]\nwin = 2\ndraw = 0.75\ncrash = -10\n\
         [[client]]\nname = \"q\"\nfile = \"clients/a.so\"\noptions = { style = \"queen\", depth = 3 }\n\
         [[client]]\nname = \"a\"\nfile = \"./clients/a.so\"\n",
    );
    assert_eq!(ladder.seed, Some(u64::MAX));
    let names: Vec<_> = ladder.settings.iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(names, ["small size=2", "small size=3", "maps/good.toml size=2", "maps/good.toml size=3"]);
    assert_eq!(ladder.settings[2].options.get("board"), Some("..\n..\n"));
    assert_eq!(ladder.lineups, [["a", "a", "q"], ["q", "q", "a"]]);
    assert_eq!(ladder.clients.len(), 2, "a glob does not add again what [[client]] names");
    assert_eq!(ladder.clients[0].options["depth"], "3");
    assert_eq!(
        (ladder.time.total_us, ladder.time.increment_us, ladder.time.per_move_us),
        (Some(30_000_000), 100_000, None)
    );
    assert_eq!(ladder.sandbox.without, ["limits", "seccomp"]);
    assert_eq!((ladder.points.win, ladder.points.draw, ladder.points.crash), (2000, 750, Some(-10_000)));
}

#[test]
fn a_message_shows_the_line_and_the_place() {
    says(
        "[run]\nlogs = \"fault\"",
        &[
            "class.toml:4:8: unknown value \"fault\"",
            "4 | logs = \"fault\"",
            "  |        ^^^^^^^",
            "help: did you mean \"faults\"?",
        ],
    );
    says(
        "[time]\ntotal = \"1s\"\nper_move = \"1s\"",
        &[
            "class.toml:5:12: [time] has total and per_move",
            "5 | per_move = \"1s\"",
            "  |            ^^^^",
            "class.toml:4:9: see here",
            "4 | total = \"1s\"",
            "  |         ^^^^",
            "help: choose one",
        ],
    );
}

#[test]
fn several_problems_are_told_at_once() {
    let error = read("[ladder]\ngame = \"tyni\"\n[run]\njobs = 0\nlog = \"all\"\n").unwrap_err();
    assert_eq!(error.count(), 3, "{error}");
    let text = error.to_string();
    assert!(text.starts_with("class.toml:2:8: unknown game \"tyni\"\n"), "{text}");
    assert!(text.contains("\n\nclass.toml:5:1: [run] has no key \"log\"\n"), "{text}");
    // Files that are not found come last: the other mistake may be the reason.
    let text = bad("clients = [\"none/*.so\"]\n[options]\nbord = \"small\"");
    assert!(text.starts_with("class.toml:5:1: tiny has no option \"bord\"\n"), "{text}");
    assert!(text.contains("\n\nclass.toml:3:12: no client matches \"none/*.so\""), "{text}");
}

#[test]
fn wrong_words_are_told() {
    begins("round = 2", "class.toml:3:1: [ladder] has no key \"round\"", "did you mean \"rounds\"?");
    begins("per_move = \"1s\"", "class.toml:3:1: [ladder] has no key \"per_move\"", "it belongs in [time]");
    begins("[tiem]\ntotal = \"1s\"", "class.toml:3:2: unknown table [tiem]", "did you mean \"time\"?");
    begins("[options]\nbord = \"small\"", "class.toml:4:1: tiny has no option \"bord\"", "did you mean \"board\"?");
    begins(
        "[run]\nisolation = \"none\"\n[time]\nclock = \"cpu\"",
        "class.toml:6:9: isolation \"none\" has no processor clock of a client's own",
        "write clock = \"wall\", or leave it out",
    );
    begins("[run]\nwithout = [\"secomp\"]", "class.toml:4:12: unknown value \"secomp\"", "did you mean \"seccomp\"?");
    begins(
        "[run]\nsandbox = \"strict\"\nwithout = [\"seccomp\"]",
        "class.toml:5:12: sandbox \"strict\" asks for every layer, and without leaves \"seccomp\" out",
        "write sandbox = \"auto\", or leave out without",
    );
    begins(
        "[run]\nsandbox = \"strict\"\nisolation = \"none\"",
        "class.toml:5:13: sandbox \"strict\" asks for every layer, and isolation \"none\" has no sandbox",
        "write isolation = \"process\" or \"reuse\"",
    );
    for name in ["../class", "a/b", ".hidden"] {
        let text = format!("name = \"{name}\"");
        begins(&text, "class.toml:3:8: this cannot be the name of a ladder", LADDER_NAME);
    }
    let later = bad("[[client]]\nname = \"red@2\"\nfile = \"red.so\"");
    assert!(
        later.starts_with("class.toml:4:8: names that end in @ and a number are those of later versions"),
        "{later}"
    );
    let text = read("game = \"tiny\"").unwrap_err().to_string();
    assert!(text.starts_with("class.toml:1:1: \"game\" stands in no table\n1 | game = \"tiny\"\n  | ^^^^\nhelp: it belongs below a line [ladder]\n"), "{text}");
    assert!(text.contains("\n\nclass.toml:1:1: [ladder] has no game\n"), "{text}");
    let text = read("[openings]").unwrap_err().to_string();
    assert!(text.contains("class.toml:1:2: \"openings\" is a key, not a table\n"), "{text}");
    assert!(text.contains("help: write openings = ... below the line [ladder]"), "{text}");
    let text = read("# mine\n[ladder]\nrounds = 2").unwrap_err().to_string();
    assert_eq!(
        text,
        "class.toml:2:2: [ladder] has no game\n2 | [ladder]\n  |  ^^^^^^\nhelp: add game = \"NAME\"; there are: tiny, secret"
    );
}

#[test]
fn what_is_no_toml_is_told_where() {
    for (text, place) in [
        ("[ladder", "class.toml:1:8: "),
        ("[ladder]\ngame = tiny", "class.toml:2:8: "),
        ("a = 1\na = 2", "class.toml:2:1: "),
    ] {
        let message = read(text).unwrap_err().to_string();
        assert!(message.starts_with(place), "{message}");
        assert!(message.lines().count() >= 4, "{message}");
    }
}

#[test]
fn wrong_values_say_what_to_write() {
    begins("[time]\nper_move = 1", "class.toml:4:12: a time needs a unit", "write \"1s\"");
    begins(
        "[time]\nper_move = \"1\"",
        "class.toml:4:12: \"1\" is not a time",
        "write a unit: \"1s\" (there are us, ms, s, min, h, d)",
    );
    begins("[time]\nper_move = \"0s\"", "class.toml:4:12: \"0s\" is out of range", "write a time from 1us to 86400s");
    begins(
        "[time]\nincrement = \"1s\"",
        "class.toml:4:13: increment is added to total, which is not given",
        "add total = \"30s\"",
    );
    begins("[limits]\nmemory = \"1B\"", "class.toml:4:10: \"1B\" is out of range", "write a size from 8MiB to 1024GiB");
    begins("[limits]\nmemory = 512", "class.toml:4:10: a size needs a unit", "write \"512MiB\"");
    begins("[run]\njobs = 0", "class.toml:4:8: the number is out of range", "write a whole number from 1 to 1024");
    begins("[run]\njobs = \"many\"", "class.toml:4:8: unknown value \"many\"", "there are: auto");
    begins(
        "[run]\njobs = true",
        "class.toml:4:8: a whole number is expected here, not true or false",
        "write one from 1 to 1024, without quotes",
    );
    begins(
        "rounds = \"2\"",
        "class.toml:3:10: a whole number is expected here, not a text",
        "write one from 1 to 1000000000, without quotes",
    );
    begins("seed = -1", "class.toml:3:8: the number is out of range", "write a whole number from 0");
    begins("seats = 5", "class.toml:3:9: Tiny is played by 2 to 4, not by 5", "write seats = 2, or leave the key out");
    begins(
        "[run]\nwatch = \"yes\"",
        "class.toml:4:9: true or false is expected here, not a text",
        "write it without quotes",
    );
    begins("labels = \"team\"", "class.toml:3:10: unknown value \"team\"", "there are: auto, file, folder");
    begins("name = 3", "class.toml:3:8: a text is expected here, not a whole number", "write \"3\"");
    begins("clients = \"a.so\"", "class.toml:3:11: a list is expected here", "write [\"a.so\"]");
    begins(
        "[points]\nwin = 0.3333",
        "class.toml:4:7: 0.3333 cannot be a number of points",
        "write -1000 to 1000, at most three places: 0.5",
    );
}

#[test]
fn periods_are_of_a_total() {
    let time = |text: &str| good(&format!("[ladder]\ngame = \"tiny\"\n[time]\n{text}")).time;
    let read = |text: &str| {
        let time = time(text);
        (time.total_us, time.increment_us, time.period, time.per_move_us)
    };
    assert_eq!(read("total = \"60s\"\nperiod = 40"), (Some(60_000_000), 0, Some(40), None));
    assert_eq!(read("tc = \"40/60+0.5\""), (Some(60_000_000), 500_000, Some(40), None));
    begins("[time]\nperiod = 40", "class.toml:4:10: period is of total, which is not given", "add total = \"30s\"");
    begins(
        "[time]\ntc = \"60\"\nperiod = 40",
        "class.toml:4:6: tc says what total, increment, period and per_move say",
        "choose one",
    );
    begins(
        "[time]\ntc = \"5m\"",
        "class.toml:4:6: \"5m\" is not a time control",
        "write seconds without a unit: 300 instead of 5m",
    );
}

#[test]
fn what_stops_nothing_is_a_warning() {
    let ladder = good(
        "ladder = { game = \"secret\", seed = 1, exclude = [\"clients/old*\"] }\n[[client]]\nname = \"x\"\nfile = \"clients/a.so\"\n[[client]]\nname = \"y\"\nfile = \"clients/a.so\"\n",
    );
    assert_eq!(
        ladder.warnings,
        [
            "x and y are the same file with the same options",
            "exclude \"clients/old*\" matches no file",
            "the seed is given: anyone who knows it can compute the deals",
        ]
    );
}

#[test]
fn what_makes_results_comparable_is_listed() {
    let text = |ladder: &Ladder| LadderTerms::new(ladder, &TINY).texts();
    let first = good("[ladder]\ngame = \"tiny\"\n");
    assert!(text(&first).contains(&("game".to_owned(), "tiny rules 3".to_owned())));
    assert_eq!(
        text(&first),
        text(&good(
            "[ladder]\ngame = \"tiny\"\nname = \"y\"\nopenings = 9\n[run]\njobs = 2\n[time]\nper_move = \"1000ms\"\n"
        ))
    );
    assert_ne!(text(&first), text(&good("[ladder]\ngame = \"tiny\"\n[time]\nper_move = \"2s\"\n")));
    assert_ne!(text(&first), text(&good("[ladder]\ngame = \"tiny\"\n[options]\nboard = \"large\"\n")));
}

#[test]
fn the_manual_has_every_key() {
    let manual = include_str!("../../../docs/reference/ladder.md");
    let mut tables = Vec::new();
    for (table, key) in config::keys() {
        let heading = if table == "client" { "## `[[client]]`".to_owned() } else { format!("## `[{table}]`") };
        let section = manual.split("\n## ").find(|part| format!("## {part}").starts_with(&heading));
        assert!(section.unwrap().contains(&format!("\n| `{key}` | ")), "[{table}] {key}");
        tables.push(table);
    }
    tables.dedup();
    assert_eq!(
        tables,
        ["ladder", "time", "adjudication", "limits", "run", "stop", "points", "grades", "output", "client"]
    );
}

#[test]
fn the_sample_works_as_it_is() {
    let text = include_str!("../../../ladder.toml");
    let ladder = config::read(text, "ladder.toml", folder().path(), agon_games::GAMES);
    assert_eq!(ladder.unwrap_or_else(|error| panic!("{error}")).warnings, [""; 0]);
    let all: String = text
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|line| line.contains(['=', '['])).unwrap_or(line).to_owned() + "\n")
        .collect();
    let all = all.replace("random.so", "a.so");
    config::read(&all, "ladder.toml", folder().path(), agon_games::GAMES).unwrap_or_else(|error| panic!("{error}"));
}
