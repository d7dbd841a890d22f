//! `agon explain`, `agon completions` and `agon man`: nothing that the code knows is missing in them.

use crate::builder::Arena;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// The options in a text, with their `--`.
fn flags(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let words = text.split(|c: char| !is_part(c)).filter(|word| word.starts_with("--") && word.len() > 3);
    words.map(str::to_owned).collect()
}

/// The names of the commands in a list of `--help`: those at the beginning of a line with two spaces.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// All commands, those of families with the family before them.
fn commands(arena: &Arena) -> Vec<String> {
    let help = arena.agon(["--help"]).well().stdout;
    let list = help.split("Write a client:").nth(1).unwrap().split("Tools of the games:").next().unwrap();
    let members = |name: String| {
        let help = arena.agon([name.as_str(), "--help"]).well().stdout;
        let list = help.split("\nCommands:").nth(1).map(|list| list.split("Options:").next().unwrap().to_owned());
        let list = list.map(|list| listed(&list).iter().map(|own| format!("{name} {own}")).collect());
        list.unwrap_or_else(|| vec![name])
    };
    listed(list).into_iter().flat_map(members).collect()
}

/// The flags that the help of a command declares: those at the beginning of a line.
fn declared(help: &str) -> BTreeSet<String> {
    let options = help.split("Options:").nth(1).unwrap_or_default();
    let lines = options.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    lines.flat_map(|line| flags(line.split("  ").next().unwrap_or(line))).collect()
}

#[test]
fn every_flag_of_every_command_is_completed_and_has_its_page() {
    let arena = Arena::new().with_lab();
    arena.agon(["man", "--out", "man"]).well();
    let scripts = ["bash", "zsh", "fish"].map(|shell| arena.agon(["completions", shell]).well().stdout);
    let commands = commands(&arena);
    assert!(commands.len() > 30 && commands.contains(&"record forget".to_owned()), "{commands:?}");
    // Those of the laboratory are its own program's.
    for command in commands.iter().filter(|command| *command != "bench") {
        let known = declared(&arena.agon([words(command), vec!["--help"]].concat()).well().stdout);
        assert!(known.contains("--help"), "{command}: {known:?}");
        let page = format!("man/agon-{}.1", command.replace(' ', "-"));
        let page = fs::read_to_string(arena.path(page)).unwrap().replace("\\-", "-");
        for flag in &known {
            assert!(scripts[0].contains(flag.as_str()) && scripts[1].contains(flag.as_str()), "{command} {flag}");
            assert!(scripts[2].contains(&format!("-l {}", &flag[2..])), "fish: {command} {flag}");
            assert!(page.contains(flag.as_str()), "man: {command} {flag}");
        }
    }
}

/// Commands of ours in a page, from the word behind `agon` on: in blocks, and between backquotes.
fn spoken(page: &str) -> Vec<String> {
    let of = |index: usize, text: &str, parted: char| -> Vec<String> {
        let pieces = text.split(parted).enumerate().filter(|(at, _)| index % 2 == 1 || at % 2 == 1);
        pieces.map(|(_, piece)| piece.replace('\n', " ")).collect()
    };
    let pieces = page.split("```").enumerate();
    let texts = pieces.flat_map(|(index, text)| of(index, text, if index % 2 == 1 { '\n' } else { '`' }));
    let ours = |text: String| {
        let text = text.split('#').next().unwrap_or_default().trim().to_owned();
        let rest = text.trim_start_matches("./").trim_start_matches("target/release/").strip_prefix("agon ")?;
        let end = [" | ", " && ", "; ", " > "].iter().filter_map(|mark| rest.find(mark)).min();
        Some(rest[..end.unwrap_or(rest.len())].to_owned())
    };
    texts.filter_map(ours).collect()
}

#[test]
fn what_pages_tell_to_type_is_understood() {
    // Words that are no commands, as numbers are drawn from them or files begin so.
    const NO_COMMANDS: [&str; 2] = ["deal", "openings"];
    const FAMILIES: [&str; 2] = ["record", "worker"];
    let arena = Arena::new().with_lab();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shelves = ["docs/guides", "docs/reference", "docs/notebook", "docs/rules", "docs/inside"];
    let pages = shelves.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap().flatten());
    let pages = pages.map(|entry| entry.path()).chain([root.join("README.md"), root.join("CONTRIBUTING.md")]);
    let mut helps = std::collections::BTreeMap::new();
    let mut count = 0;
    for page in pages.filter(|page| page.extension().is_some_and(|ending| ending == "md")) {
        for line in spoken(&fs::read_to_string(&page).unwrap()) {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            words.truncate(if words.first().is_some_and(|word| FAMILIES.contains(word)) { 2 } else { 1 });
            if words.last().is_some_and(|word| word.starts_with('-') || FAMILIES.contains(word)) {
                words.truncate(1);
            }
            let command = words.first().copied().unwrap_or_default().to_owned();
            let is_word = !command.is_empty() && command.chars().all(|c| c.is_ascii_lowercase());
            if !is_word || NO_COMMANDS.contains(&command.as_str()) {
                continue;
            }
            let help =
                helps.entry(words.join(" ")).or_insert_with(|| arena.agon([words.clone(), vec!["--help"]].concat()));
            assert!(help.status == Some(0), "{}: agon {line}: there is no such command", page.display());
            // Anywhere in it, since tools of a game write theirs by hand.
            let known = flags(&help.stdout);
            for flag in &flags(&line) {
                assert!(known.contains(flag), "{}: agon {line}: {command} has no {flag}", page.display());
            }
            count += 1;
        }
    }
    assert!(count > 100, "only {count} commands were found");
}

#[test]
fn the_page_of_messages_is_what_the_code_says() {
    let arena = Arena::new();
    let text = arena.agon(["explain", "--markdown"]).well().stdout;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/messages.md");
    if std::env::var_os("AGON_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), text, "AGON_BLESS=1 writes it anew");
}

#[test]
fn every_refusal_of_the_code_is_explained() {
    let arena = Arena::new();
    for (cause, word) in agon_abi::Cause::WORDS {
        let ran = arena.agon(["explain", word]);
        assert!(ran.status == Some(0) && ran.stdout.contains("help     "), "{cause:?}: {ran:?}");
    }
}

#[test]
fn a_word_that_is_nearly_one_is_answered_with_it() {
    let arena = Arena::new();
    for (word, known) in [("segfault", "crash"), ("timeout", "cpu-time")] {
        let ran = arena.agon(["explain", word]);
        assert!(ran.status == Some(2) && ran.stderr.ends_with(&format!("help: did you mean {known}?\n")), "{ran:?}");
    }
    let ran = arena.agon(["explain", "cpu_tme"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("did you mean cpu-time?"), "{ran:?}");
    let all = arena.agon(["explain"]).well().stdout;
    assert!(["illegal-move", "denied-file", "no-macro", "kept-off"].iter().all(|code| all.contains(code)), "{all}");
}

#[test]
fn what_is_said_to_do_fits_what_was_typed() {
    let arena = Arena::new();
    let [random, greedy] = ["random", "greedy"].map(|name| arena.rust_client(name).display().to_string());
    let alone = arena.agon(["match", &random]);
    assert!(alone.status == Some(3) && alone.stderr.contains("\nhelp: name 2 clients\n"), "{alone:?}");
    arena.agon(["match", &random, &greedy, "-b", "square:5"]).well();
    let nowhere = arena.agon(["record", "export", "jsonl", "--out", "nowhere/all"]);
    assert!(nowhere.status == Some(1) && nowhere.stderr.contains("help: make its folder first, or"), "{nowhere:?}");
}

#[test]
fn a_text_for_an_author_has_place_grade_and_faults() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.file("clients/essay.so", "How I would have played.\n");
    arena.ladder_toml(
        "[ladder]\nname = \"course\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nopenings = 2\nseed = 1\n\
         [options]\nboard = \"mini-3\"\n[grades]\nsteps = [\"5: 0.5\", \"6: 0.9\"]\notherwise = \"3\"\n",
    );
    arena.agon(["ladder", "-q"]).well();
    let text = arena.agon(["standings", "ladder.toml", "--for", "greedy"]).well().stdout;
    let parts = ["# greedy in the ladder course", "Place **", " points a match", "Grade: **", "| random | "];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    let text = arena.agon(["standings", "ladder.toml", "--for", "essay"]).well().stdout;
    assert!(text.contains("It could not play: `a text file") && text.contains("Grade: **3**"), "{text}");
    let ran = arena.agon(["standings", "ladder.toml", "--for", "nobody"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("there are: "), "{ran:?}");
    let csv = arena.agon(["standings", "ladder.toml", "--csv"]).well().stdout;
    assert!(csv.lines().next().unwrap().ends_with(",grade,status,why"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with(",essay,") && line.contains(",3,refused,")), "{csv}");
    let markdown = arena.agon(["standings", "--markdown"]).well().stdout;
    assert!(markdown.contains("| greedy |") && markdown.contains("\n- essay was refused: "), "{markdown}");
    // The ladder.toml of this folder is meant without its name, too; one that is wrong is told once.
    assert_eq!(arena.agon(["standings", "--csv"]).well().stdout, csv);
    arena.file("ladder.toml", "[ladder\n");
    let ran = arena.agon(["standings", "--csv"]).well();
    assert!(!ran.stdout.contains(",grade,"), "{ran:?}");
    assert_eq!(ran.stderr.matches("so its points and grades do not count").count(), 1, "{ran:?}");
}

#[test]
fn words_that_mean_nothing_or_two_things_are_told() {
    let arena = Arena::new().with_lab();
    arena.rust_client("random");
    for name in ["greedy", "six_best", "classic"] {
        arena.file(&format!("bin/lib{name}.so"), "");
    }
    for (words, status, said) in [
        (
            "match random random -b mini-3 -o board=mini-2",
            3,
            "the option board is given twice, as mini-2 and as mini-3",
        ),
        ("match random random -b mini-3 -o board=mini-3 -q", 0, ""),
        ("bench no-such-figure", 2, "no figure has \"no-such-figure\" in its name"),
        ("bench --runs 0", 2, "0 is not in 1..=10000"),
        ("bench --help", 0, "Usage: agon bench [OPTIONS] [ONLY]"),
        ("add nobody", 4, "no such file or bundled client; help: agon add lists the bundled ones"),
        ("add gredy", 4, "did you mean greedy?"),
        ("add", 0, "\n  greedy\n"),
        ("check x.so --ladder ladder.tml", 3, "warning: --ladder of agon check is called --ladder-file"),
        ("add random --ladder=ladder.tml", 3, "warning: --ladder of agon add is called --ladder-file"),
        ("standings --ladder nowhere", 2, "the record has nothing of ladder nowhere; help: run it first"),
        ("standings --ladder bin/libgreedy.so", 2, "name a ladder file without --ladder"),
        ("show", 2, "agon show needs <ID>: "),
        ("tune greedy", 2, "agon tune needs --param <KEY=FROM..TO[:START]>: An option of the client"),
        ("explain cpu", 2, "did you mean cpu-time?"),
        ("help cpu-time", 2, "there is no topic \"cpu-time\"; help: type agon explain cpu-time"),
        ("standings ladder.tml", 3, "there is no file ladder.tml; help: "),
        ("grundy tabel", 2, "agon grundy has no command \"tabel\"; help: did you mean table?"),
        ("add random --out there --no-trial", 0, "there/random.so"),
        ("explain not-your-queen", 2, "agon rules GAME explains the word in brackets behind a move"),
        ("replay x --text --lang fr", 2, "cannot be used with"),
        ("replay x --ascii --lang fr", 2, "cannot be used with"),
        ("ladder --dry-run --json", 2, "cannot be used with"),
        ("match random random -n -1", 2, "invalid value '-1' for '--games <N>': write a whole number from 1"),
        ("matches --faults", 2, "agon matches has no option --faults; help: did you mean --fault? agon matches --help"),
        (
            "standings ladder.toml more",
            2,
            "\"more\" is one word too many; help: agon standings [OPTIONS] [LADDER FILE]",
        ),
        ("grundy check /dev/zero", 3, "a device"),
        ("match nobody random", 4, "name a bundled client (greedy, six-best), or"),
        ("bench --help", 0, "Studies:\n  grundy "),
        ("match random random -b mini-3 -q", 0, ""),
        ("standings --table list", 0, "Amazons has only the usual table"),
        ("show last --export list", 0, "sgf        Smart Game Format"),
        ("worker ban --help", 0, "The record on PostgreSQL: postgres://"),
    ] {
        let ran = arena.agon(words.split(' '));
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.status == Some(status) && told.contains(said), "{words}: {ran:?}");
    }
}

#[test]
fn agon_alone_shows_what_to_type_first() {
    let arena = Arena::new();
    let first = arena.agon([""; 0]).well();
    let lines: Vec<_> = first.stdout.lines().filter(|line| line.starts_with("  agon ")).collect();
    assert!(lines.len() == 4 && lines[0].contains("demo") && lines[1].contains("new c mybot"), "{first:?}");
    let help = arena.agon(["--help"]).well().stdout;
    let tasks = ["Write a client:", "Play:", "Run a ladder:", "Look at results:", "Publish:", "Keep the record:"];
    let places: Vec<_> = tasks.iter().map(|task| help.find(task).unwrap()).collect();
    assert!(places.is_sorted() && help.find("Tools of the games:").unwrap() > *places.last().unwrap(), "{help}");
}

#[test]
fn an_installed_agon_carries_its_documentation() {
    let arena = Arena::new();
    let topics = arena.agon(["help"]).well().stdout;
    let names = listed(&topics);
    assert!(names.len() > 20, "{topics}");
    for name in &names {
        let page = arena.agon(["help", name]).well().stdout;
        assert!(page.starts_with('#') && page.len() > 200, "{name}: {page}");
    }
    let time = arena.agon(["help", "time"]).well().stdout;
    assert!(time.starts_with("## `[time]`") && !time.contains("## `[limits]`"), "{time}");
    assert_eq!(arena.agon(["help", "clock"]).well().stdout, time);
    let of_command = arena.agon(["help", "record", "backup"]).well().stdout;
    assert!(of_command.contains("Usage: agon record backup"), "{of_command}");
    let of_study = arena.agon(["help", "bench", "grundy"]).well().stdout;
    assert!(of_study.starts_with("agon bench grundy studies "), "{of_study}");
    let wrong = arena.agon(["help", "raitings"]);
    assert!(wrong.status == Some(2) && wrong.stderr.contains("did you mean \"ratings\"?"), "{wrong:?}");
    let two = arena.agon(["help", "sandbox", "limits"]);
    assert!(two.status == Some(2) && two.stderr.contains("one topic at a time; help: agon help sandbox"), "{two:?}");
    // A page that is there in the other language names its topic; any other keeps silent about it.
    let in_french = listed(&arena.agon(["help", "--lang", "fr"]).well().stdout);
    for name in &names {
        let page = arena.agon(["help", name]).well().stdout;
        let french = page.lines().find(|line| line.starts_with("En français"));
        match name.as_str() {
            "student" => assert_eq!(french, Some("En français (agon help etudiant)")),
            "teaching" => assert_eq!(french, Some("En français (agon help enseignant)")),
            _ if in_french.contains(name) => {
                assert_eq!(french, Some(&*format!("En français (agon help {name} --lang fr)")))
            }
            _ => assert_eq!(french, None, "{name}"),
        }
    }
    let french = in_french;
    assert!(french.len() == 10 && french.iter().all(|name| names.contains(name)), "{french:?}");
    for name in french.iter().map(String::as_str).chain(["etudiant", "enseignant"]) {
        let page = arena.agon(["help", name, "--lang", "fr"]).well().stdout;
        assert!(page.starts_with("# ") && page.contains("In English (agon help "), "{name}: {page}");
    }
    assert_eq!(
        arena.agon(["help", "student", "--lang", "fr"]).well().stdout,
        arena.agon(["help", "etudiant"]).well().stdout
    );
    let english = arena.agon(["help", "ladder", "--lang", "fr"]);
    assert!(english.status == Some(2) && english.stderr.contains("agon help --lang fr"), "{english:?}");
}

#[test]
fn commands_and_tools_of_games_are_found_among_the_topics() {
    let arena = Arena::new();
    for command in ["record", "ladder"] {
        let page = arena.agon(["help", command]).well().stdout;
        assert!(page.ends_with(&format!("\nagon {command} --help explains the command.\n")), "{page}");
    }
    let of_command = arena.agon(["help", "replay"]).well().stdout;
    assert!(of_command.contains("Usage: agon replay"), "{of_command}");
    let boards = arena.agon(["help", "boards"]).well().stdout;
    assert!(boards.ends_with("\nagon boards --help explains the command.\n"), "{boards}");
    for (words, begin) in [
        (&["help", "perft"][..], &["perft", "--help"][..]),
        (&["help", "Perft"], &["perft", "--help"]),
        (&["help", "Record", "Backup"], &["help", "record", "backup"]),
        (&["help", "grundy"], &["grundy", "--help"]),
        (&["help", "grundy", "table"], &["grundy", "--help"]),
        (&["help", "boards", "show"], &["boards", "--help"]),
    ] {
        assert_eq!(arena.agon(words).well().stdout, arena.agon(begin).well().stdout, "{words:?}");
    }
    let near = arena.agon(["help", "perftt"]);
    assert!(near.status == Some(2) && near.stderr.ends_with("help: did you mean \"perft\"?\n"), "{near:?}");
    for game in ["amazons", "six-qui-prend"] {
        let game = arena.agon(["help", game]);
        assert!(game.status == Some(2) && game.stderr.contains("help: type agon rules "), "{game:?}");
    }
    let unknown = arena.agon(["help", "xyzzy"]);
    assert!(unknown.stderr.ends_with("help: agon help lists the topics, agon --help the commands\n"), "{unknown:?}");
}

#[test]
fn the_rules_of_each_game_are_there_in_both_languages() {
    let arena = Arena::new();
    let games = arena.agon(["rules"]).well().stdout;
    for facts in agon_games::GAMES.iter().map(|game| game.facts()) {
        assert!(games.contains(facts.title), "{games}");
        let page = arena.agon(["rules", &facts.name.replace('_', "-")]).well().stdout;
        assert!(
            page.contains("## Options") && (page.contains("## What a client gets") || page.contains("## Calls")),
            "{page}"
        );
        assert!(facts.options.iter().all(|option| page.contains(option.key)), "{page}");
        let french = arena.agon(["rules", facts.name, "--lang", "fr"]).well().stdout;
        assert!(french.len() > 1000 && french != page, "{french}");
    }
    let wrong = arena.agon(["rules", "amazon"]);
    assert!(wrong.status == Some(3) && wrong.stderr.contains("did you mean agon rules amazons?"), "{wrong:?}");
    let option = arena.agon(["match", "random", "random", "-o", "foo=3"]);
    let explained = ["amazons has no option \"foo\"", "\n  board=", "map file", "\n  vacated=free"];
    assert!(option.status == Some(3) && explained.iter().all(|part| option.stderr.contains(part)), "{option:?}");
}

#[test]
fn a_mistyped_word_is_answered_with_the_one_that_is_meant() {
    let arena = Arena::new();
    for (typed, meant) in [
        ("workers --record x", "did you mean agon worker?"),
        ("worker postgres://a:secret@b/c", "agon worker run URL"),
        ("record", "Commands:\n  backup"),
        ("record exprot csv", "did you mean agon record export?"),
        ("worker remove x", "agon worker has run, list, invite"),
        ("laddder", "did you mean agon ladder?"),
        ("check mybot.so -b square:6", "agon check has no option -b; help: agon check --help lists all"),
        ("record clean --recrd x", "did you mean --record? agon record clean --help lists all"),
        ("-v standings --jsn", "did you mean --json?"),
    ] {
        let ran = arena.agon(words(typed));
        assert!(ran.status == Some(2) && ran.stderr.contains(meant), "{typed}: {ran:?}");
        assert!(!ran.stderr.contains("secret"), "a password stays unsaid: {ran:?}");
    }
}
