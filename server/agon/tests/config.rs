//! Every way in which a ladder can be wrong answers with its place, what is wrong and what to do.

use agon_config::{self as config, ConfigError, Ladder, LadderTerms, MatchWords, Seeding, System};
use agon_games::{AnyGame, AnySetting, AnyState, BadOption, Facts, Fields, Opening, OptionFact, Options, Said};
use agon_model::{ClockKind, LADDER_NAME};
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

    fn prepare(&self, options: &Options, _seats: usize) -> Result<Box<dyn AnySetting>, BadOption> {
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

impl AnySetting for Tiny {
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

/// The messages for a ladder that is right but for these lines.
fn bad(lines: &str) -> String {
    read(&format!("[ladder]\ngame = \"tiny\"\n{lines}\n")).unwrap_err().to_string()
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
    assert_eq!((ladder.disable_after, ladder.watch), (0, false));
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
        "class.toml:2:2: [ladder] has no game\n2 | [ladder]\n  |  ^^^^^^\nhelp: add game = \"NAME\"; there is: tiny, secret"
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
    begins("[run]\njobs = \"many\"", "class.toml:4:8: unknown value \"many\"", "there is: auto");
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
    begins("labels = \"team\"", "class.toml:3:10: unknown value \"team\"", "there is: auto, file, folder");
    begins("name = 3", "class.toml:3:8: a text is expected here, not a whole number", "write \"3\"");
    begins("clients = \"a.so\"", "class.toml:3:11: a list is expected here", "write [\"a.so\"]");
    begins(
        "[points]\nwin = 0.3333",
        "class.toml:4:7: 0.3333 cannot be a number of points",
        "write -1000 to 1000, at most three places: 0.5",
    );
}

#[test]
fn pairings_say_what_they_need() {
    let system = |lines: &str| good(&format!("[ladder]\ngame = \"tiny\"\n{lines}\n"));
    assert_eq!((system("").openings, system("openings = 5").openings), (1, 5));
    let swiss = system("pairing = \"swiss\"\nrounds = 5\nopenings = 2\nseeding = \"listed\"");
    assert_eq!((swiss.system, swiss.openings, swiss.seeding), (System::Swiss { rounds: Some(5) }, 2, Seeding::Listed));
    assert_eq!(system("pairing = \"swiss\"").system, System::Swiss { rounds: None });
    assert_eq!(system("pairing = \"knockout\"").system, System::Knockout { playoffs: 2 });
    assert_eq!(system("pairing = \"continuous\"\nblocks = 9").system, System::Continuous { blocks: 9 });
    let gauntlet = system("pairing = \"gauntlet\"\ngauntlet = [\"a\"]\nopenings = 2");
    assert_eq!((gauntlet.system, gauntlet.openings), (System::Gauntlet(vec!["a".to_owned()]), 2));

    begins("pairing = \"swis\"", "class.toml:3:11: unknown value \"swis\"", "did you mean \"swiss\"?");
    begins("rounds = 3\nopenings = 3", "class.toml:3:10: pairing = \"round-robin\" has no rounds", "leave rounds out");
    begins(
        "pairing = \"gauntlet\"\ngauntlet = [\"a\"]\nrounds = 2",
        "class.toml:5:10: pairing = \"gauntlet\" has no rounds",
        "write openings = 2, the number of openings that each line-up plays",
    );
    begins(
        "pairing = \"knockout\"\nrounds = 3",
        "class.toml:4:10: pairing = \"knockout\" has as many rounds as it takes",
        "leave rounds out; openings says how many openings each meeting plays",
    );
    begins(
        "pairing = \"swiss\"\nrounds = 3000",
        "class.toml:4:10: 3000 rounds of a Swiss are too many",
        "write at most 1000; openings makes meetings longer",
    );
    begins(
        "pairing = \"swiss\"\nseats = 3",
        "class.toml:3:11: pairing = \"swiss\" pairs two clients, and a match has 3 seats",
        "write seats = 2, or pairing = \"round-robin\"",
    );
    begins(
        "pairing = \"gauntlet\"",
        "class.toml:3:11: pairing = \"gauntlet\" does not say whom the others meet",
        "add gauntlet = [\"NAME\"]",
    );
    begins(
        "pairing = \"gauntlet\"\ngauntlet = [\"base\"]",
        "class.toml:4:13: no client is called \"base\"",
        "there is: a, b",
    );
    begins(
        "pairing = \"gauntlet\"\ngauntlet = []",
        "class.toml:4:12: the gauntlet is empty",
        "name those whom the others meet: [\"base\"]",
    );
    begins(
        "pairing = \"gauntlet\"\ngauntlet = [\"a\", \"a\"]",
        "class.toml:4:18: the gauntlet names \"a\" twice",
        "leave one out",
    );
    begins(
        "pairing = \"continuous\"",
        "class.toml:3:11: a continuous ladder needs an end",
        "add blocks = 1000; it may grow later",
    );
    begins(
        "pairing = \"continuous\"\nblocks = 3\nopenings = 2\n[options]\nboard = [\"small\", \"large\"]",
        "class.toml:4:10: blocks = 3 has no room for a meeting, which is 4 blocks",
        "write more blocks, or fewer openings",
    );
}

#[test]
fn keys_of_another_pairing_are_refused() {
    let homes = "leave it out, or write pairing = \"swiss\" or pairing = \"knockout\" or pairing = \"continuous\"";
    begins("seeding = \"drawn\"", "class.toml:3:11: seeding has no meaning under pairing = \"round-robin\"", homes);
    for (key, home) in [("gauntlet = [\"a\"]", "gauntlet"), ("playoffs = 1", "knockout"), ("blocks = 1", "continuous")]
    {
        let word = key.split(' ').next().unwrap();
        let first = format!("class.toml:3:{}: {word} has no meaning under pairing = \"round-robin\"", word.len() + 4);
        begins(key, &first, &format!("leave it out, or write pairing = \"{home}\""));
    }
    begins(
        "lineup = [\"a\", \"b\"]\npairing = \"swiss\"",
        "class.toml:3:10: lineup has no meaning under pairing = \"swiss\"",
        "leave it out, or write pairing = \"round-robin\"",
    );
}

#[test]
fn the_game_judges_its_options() {
    begins(
        "[options]\ncorners = [\"yes\", \"perhaps\"]",
        "class.toml:4:19: option corners: \"perhaps\" is not one of \"yes\", \"no\"",
        "correct the value, or leave it out",
    );
    begins(
        "[options]\nsize = 10",
        "class.toml:4:8: option size: \"10\" is not a whole number from 1 to 9",
        "correct the value, or leave it out",
    );
    begins(
        "[options]\nboard = [\"small\", \"small\"]",
        "class.toml:4:19: the setting \"small\" is there twice",
        "leave one out, and use openings to play more",
    );
    begins(
        "[options]\nboard = \"maps/none.toml\"",
        "class.toml:4:9: cannot read \"maps/none.toml\": No such file or directory (os error 2)",
        "the path starts in the folder of the ladder file",
    );
    says(
        "[options]\nboard = \"maps/bad.toml\"",
        &[
            "maps/bad.toml:2:3: ragged row",
            "2 | ..!.",
            "  |   ^",
            "class.toml:4:9: see here",
            "4 | board = \"maps/bad.toml\"",
            "  |         ^^^^^^^^^^^^^^^",
            "help: correct the file, or choose another",
        ],
    );
}

#[test]
fn missing_and_double_clients_are_told() {
    begins(
        "clients = [\"maps/*.so\"]",
        "class.toml:3:12: no client matches \"maps/*.so\" (the folder has 2 files: bad.toml, good.toml)",
        "build the clients first (make), or correct the path",
    );
    begins(
        "clients = [\"none/*.so\"]",
        "class.toml:3:12: no client matches \"none/*.so\" (the folder does not exist)",
        "build the clients first (make), or correct the path",
    );
    begins(
        "clients = [\"*/a.so\"]",
        "class.toml:3:12: only 1 client takes part, and a match has 2 different ones",
        "add clients, or let some play several seats: lineup = [\"a\", \"a\"]",
    );
    begins(
        "exclude = [\"clients/a*\"]",
        "class.toml:1:2: only 1 client takes part, and a match has 2 different ones",
        "add clients, or let some play several seats: lineup = [\"a\", \"a\"]",
    );
    begins("[[client]]\nname = \"x\"", "class.toml:3:1: [[client]] has no file", "add file = \"clients/NAME.so\"");
    begins(
        "[client]\nfile = \"x\"",
        "class.toml:3:1: [client] names a single client",
        "write [[client]], once for each",
    );
    let text = bad("[[client]]\nfile = \"clients/x.so\"");
    assert!(text.starts_with("class.toml:4:8: there is no file \"clients/x.so\"\n"), "{text}");
    begins(
        "[[client]]\nname = \"x\"\nfile = \"clients/a.so\"\n[[client]]\nname = \"x\"\nfile = \"clients/b.so\"",
        "class.toml:7:8: two clients are called \"x\"",
        "give one of them another name",
    );
    begins(
        "[[client]]\nfile = \"clients/a.so\"\noptions = { \"a b\" = 1 }",
        "class.toml:5:13: a client cannot read an option of this name",
        "use letters, digits, \"_\", \"-\" and \".\"",
    );
}

#[test]
fn a_wrong_formula_for_grades_is_told_at_its_place() {
    says(
        "[grades]\nformula = \"min(20, 10 + 10 * poinst)\"",
        &[
            "class.toml:4:30: a formula knows no \"poinst\"",
            "4 | formula = \"min(20, 10 + 10 * poinst)\"",
            "  |                              ^^^^^^",
            "help: did you mean \"points\"?",
        ],
    );
    begins(
        "[grades]\nformula = 'against(\"bb\")'",
        "class.toml:4:20: no client is called \"bb\"",
        "did you mean \"b\"?",
    );
    begins(
        "[grades]\nformula = \"20 * points +\"",
        "class.toml:4:25: the formula ends too early",
        "a number, points, share, rank or a function is expected",
    );
    begins(
        "[grades]\nsteps = [\"6: 0.8\"]\nformula = \"points\"",
        "class.toml:5:11: [grades] has steps and a formula",
        "choose one",
    );
    good("[ladder]\ngame = \"tiny\"\n[grades]\nformula = 'min(20, 4 + against(\"a\") / 2)'");
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
fn lineups_fit_the_seats_and_name_clients() {
    begins(
        "lineup = [\"a\"]",
        "class.toml:3:10: the line-up has 1 client, a match 2 seats",
        "name one client for each seat; repeats are allowed",
    );
    begins("lineup = [[\"a\", \"bb\"]]", "class.toml:3:17: no client is called \"bb\"", "did you mean \"b\"?");
    begins(
        "lineup = [[\"a\", \"b\"], [\"b\", \"a\"]]",
        "class.toml:3:23: these clients are a line-up already",
        "name it once; the order of names does not matter, since everybody plays from every seat and after everybody else",
    );
    begins(
        "lineup = []",
        "class.toml:3:10: the line-up is empty",
        "name a client for each seat: [\"a\", \"b\"], or leave the key out",
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

fn words(clients: &[&str]) -> MatchWords {
    MatchWords { clients: clients.iter().map(|client| (*client).to_owned()).collect(), ..MatchWords::default() }
}

#[test]
fn a_match_is_a_ladder_of_words() {
    let mut said = words(&["a", "clients/b.so", "a"]);
    said.options = vec!["board=large".to_owned()];
    said.per_move = Some("50ms".to_owned());
    let ladder = config::for_match(&said, folder().path(), GAMES).unwrap();
    assert_eq!((ladder.name.as_str(), ladder.game.as_str(), ladder.seats), ("match", "tiny", 3));
    assert_eq!(ladder.lineups, [["a", "b", "a"]]);
    assert_eq!(ladder.clients.len(), 2);
    assert!(ladder.clients.iter().all(|client| client.named));
    assert_eq!(ladder.settings[0].name, "large");
    assert_eq!(ladder.time.per_move_us, Some(50_000));
}

#[test]
fn a_client_of_a_match_may_have_options() {
    let ladder =
        config::for_match(&words(&["a:depth=2,style=x", "a", "a:depth=2,style=x"]), folder().path(), GAMES).unwrap();
    assert_eq!(ladder.lineups, [["a:depth=2,style=x", "a", "a:depth=2,style=x"]]);
    let options: Vec<Vec<_>> = ladder.clients.iter().map(|client| client.options.iter().collect()).collect();
    assert_eq!(options, [vec![(&"depth".to_owned(), &"2".to_owned()), (&"style".to_owned(), &"x".to_owned())], vec![]]);
    let error = config::for_match(&words(&["a:de pth=2", "a"]), folder().path(), GAMES).unwrap_err().to_string();
    assert!(error.starts_with("a:de pth=2: a client cannot read an option of this name\n"), "{error}");
}

#[test]
fn bad_words_are_told_without_lines() {
    let error = |said: &MatchWords| config::for_match(said, folder().path(), GAMES).unwrap_err().to_string();
    let mut said = words(&["a", "b"]);
    said.per_move = Some("1".to_owned());
    assert_eq!(
        error(&said),
        "--time: \"1\" is not a time\nhelp: write a unit: \"1s\" (there are us, ms, s, min, h, d)"
    );
    let mut said = words(&["a", "b"]);
    said.options = vec!["board=lage".to_owned()];
    assert!(error(&said).starts_with("board=lage: option board: \"lage\" is not one of"), "{}", error(&said));
    assert!(
        error(&words(&["a", "zz"]))
            .starts_with("zz: there is no file \"clients/zz.so\"\nhelp: the folder has 5 files: ")
    );
    assert!(
        error(&words(&["a"])).starts_with("agon match: Tiny is played by 2 to 4, not by 1\n"),
        "{}",
        error(&words(&["a"]))
    );
    assert!(error(&words(&[])).starts_with("agon match: no client is named\nhelp: "));
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
