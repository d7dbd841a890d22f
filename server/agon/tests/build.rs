//! `agon build`: a class's submissions from the archive of a learning platform; what a build cannot reach, and that
//! nothing of it is left; archives that lie.

mod archives;
mod leftovers;
mod links;

use crate::builder;
use crate::builder::{Arena, users};
use agon_skips::{has_command, has_program};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::time::{Duration, Instant};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A client of Grundy's game that is whole.
const CLIENT: &str = include_str!("../../../client-api/starters/grundy.c");
const MAKEFILE: &str = "mybot.so: mybot.c\n\t$(CC) -O2 -g -fPIC -shared -I/nowhere -o $@ $<\n";

/// Writes a ZIP with these files.
fn zip(file: &Path, files: &[(&str, &[u8])]) {
    let mut archive = ZipWriter::new(File::create(file).unwrap());
    for (name, content) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap();
}

/// A folder with a Makefile whose only target runs this, and the messages of its build.
fn make(arena: &Arena, name: &str, lines: &str, more: &[&str]) -> (builder::Ran, String) {
    let folder = arena.path(name);
    fs::create_dir_all(&folder).unwrap();
    let lines: String = lines.lines().map(|line| format!("\t-{line}\n")).collect();
    fs::write(folder.join("Makefile"), format!("SHELL = /bin/bash\nall:\n{lines}")).unwrap();
    let ran = arena.agon(["build", name].iter().chain(more));
    let said = fs::read_to_string(arena.path(format!("builds/{name}.txt"))).unwrap_or_default();
    (ran, said)
}

/// Whether there is a process with this in its command line.
fn runs(word: &str) -> bool {
    let all = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let words = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).ok();
    all.filter_map(words).any(|words| String::from_utf8_lossy(&words).contains(word))
}

#[track_caller]
fn nothing_runs(word: &str) {
    assert!(!runs(word), "something is left behind");
}

fn has_tools() -> bool {
    has_program("cc") && has_program("make")
}

#[test]
fn a_class_is_built_from_the_archive_of_its_platform() {
    if !has_tools() {
        return;
    }
    for user in users() {
        let arena = Arena::new();
        let temporary = arena.path("temporary");
        fs::create_dir(&temporary).unwrap();
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o777)).unwrap();
        let arena = arena.as_user(user);
        // The place of builds is this test's own: where another agon has it, files may differ by their paths.
        let build = |words: &str| {
            let mut command = arena.command(["build"].into_iter().chain(words.split(' ')));
            builder::Ran::from(command.env("TMPDIR", &temporary).output().unwrap())
        };
        let moodle = |name: &str, number: u32, file: &str| format!("{name}_{number}_assignsubmission_file_/{file}");
        let broken = format!("{CLIENT}\nint broken = ;\n");
        let nested = arena.path("nested.zip");
        zip(&nested, &[("projet/Makefile", MAKEFILE.as_bytes()), ("projet/mybot.c", CLIENT.as_bytes())]);
        let nested = fs::read(nested).unwrap();
        let library = fs::read(arena.rust_client("grundy")).unwrap();
        fs::remove_dir_all(arena.path("clients")).unwrap();
        let files = [
            (moodle("Ada Lovelace", 11, "Makefile"), MAKEFILE.as_bytes()),
            (moodle("Ada Lovelace", 11, "mybot.c"), CLIENT.as_bytes()),
            (moodle("Ada Lovelace", 11, "mybot.so"), b"built at home"),
            (moodle("Bob", 12, "Makefile"), MAKEFILE.as_bytes()),
            (moodle("Bob", 12, "mybot.c"), broken.as_bytes()),
            (moodle("Carl", 13, "src/bot.c"), CLIENT.as_bytes()),
            (moodle("Dora", 14, "projet.zip"), &nested),
            (moodle("Eve", 15, "bot.so"), &library),
            (moodle("Fay", 16, "report.txt"), b"later"),
            (moodle("Gil", 17, "Makefile"), b"all:\n\ttrue\n"),
            ("__MACOSX/litter".to_owned(), b""),
        ];
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (name.as_str(), *content)).collect();
        zip(&arena.path("class.zip"), &files);
        let ran = build("class.zip -g grundy");
        assert_eq!(ran.status, Some(4), "{ran:?}");
        for said in [
            "built    clients/Ada-Lovelace.so (make): a client of grundy",
            "refused  Bob: make ended with 2: mybot.c:",
            "built    clients/Carl.so (cc): a client of grundy",
            "built    clients/Dora.so (make): a client of grundy",
            "built    clients/Eve.so (library): a client of grundy",
            "refused  Fay: it has no Makefile, no source in C or C++, no script, and no .so; help: ",
            "refused  Gil: it made no .so",
            "4 of 7 built",
        ] {
            assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
        }
        let kept = fs::read_to_string(arena.path("builds/Bob.txt")).unwrap();
        assert!(kept.starts_with("$ make\n") && kept.contains("error: "), "{kept}");
        arena.agon("match Ada-Lovelace Dora -g grundy -n 2 -q".split(' ')).well();
        // The same file again is no other one; another one waits for a word.
        assert_eq!(build("class.zip").stdout.matches("built    ").count(), 4);
        fs::write(arena.path("clients/Carl.so"), "of somebody else").unwrap();
        let json = build("class.zip --json");
        let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!((json.status, &document["schema"]), (Some(4), &"agon.build/1".into()));
        assert_eq!(crate::schemas::flaws(&document, "build", "build"), Vec::<String>::new());
        let carl = document["clients"].as_array().unwrap().iter().find(|one| one["client"] == "Carl").unwrap();
        assert!(carl["refused"].as_str().unwrap().contains("--replace"), "{carl}");
        assert!(build("class.zip --replace").stdout.contains("clients/Carl.so (cc)"));
        // Nor is it one in another archive.
        zip(&arena.path("Dora.zip"), &[("x/Makefile", MAKEFILE.as_bytes()), ("x/mybot.c", CLIENT.as_bytes())]);
        build("Dora.zip").well();
    }
}

#[test]
fn a_build_reaches_nothing_but_its_folder() {
    if !has_tools() || !has_program("bash") {
        return;
    }
    for user in users() {
        let arena = Arena::new().as_user(user);
        let own = arena.path("").display().to_string();
        let own = own.trim_end_matches('/');
        let acts = format!(
            "cat /etc/passwd && echo HELD-NOT read\n\
             cat {own}/other/secret && echo HELD-NOT sibling\n\
             echo x > {own}/written && echo HELD-NOT write\n\
             echo x > /tmp/agon-written-$$ && echo HELD-NOT temporary\n\
             mv {own}/other/secret . && echo HELD-NOT move\n\
             rm {own}/other/secret && echo HELD-NOT remove\n\
             ln {own}/other/secret taken && echo HELD-NOT link\n\
             ln -s {own}/other/secret x.so\n\
             echo x > /dev/tcp/127.0.0.1/1 ; exec 3<>/dev/udp/127.0.0.1/9 && echo HELD-NOT network\n\
             kill -9 $PPID && echo HELD-NOT kill\n\
             kill -0 1 && echo HELD-NOT signal\n\
             setsid true && echo HELD-NOT session\n\
             unshare -U true && echo HELD-NOT namespace\n\
             mknod disk b 8 0 && echo HELD-NOT device\n\
             chmod 777 {own}/other\n\
             touch -d 2001-01-01 {own}/other\n\
             env | grep -E 'SECRET|CARGO_MANIFEST' && echo HELD-NOT environment\n\
             (sleep 98701 &) ; (trap '' TERM HUP INT; sleep 98701) &\n\
             echo built-to-the-end"
        );
        fs::create_dir(arena.path("other")).unwrap();
        arena.file("other/secret", "secret");
        fs::create_dir_all(arena.path("naughty")).unwrap();
        let mut command = arena.command(["build", "naughty", "--time", "20s"]);
        let lines: String = acts.lines().map(|line| format!("\t-{line}\n")).collect();
        arena.file("naughty/Makefile", format!("SHELL = /bin/bash\nall:\n{}", lines.replace('$', "$$")));
        let ran = command.env("SECRET", "1").output().unwrap();
        let said = fs::read_to_string(arena.path("builds/naughty.txt")).unwrap();
        assert!(said.contains("built-to-the-end"), "{said} {ran:?}");
        assert!(!said.contains("\nHELD-NOT"), "{said}");
        // A link to what it may not read is no library.
        assert!(said.contains("it made no .so"), "{said}");
        assert_eq!(fs::read_to_string(arena.path("other/secret")).unwrap(), "secret");
        let told = fs::metadata(arena.path("other")).unwrap();
        assert!(told.modified().unwrap().elapsed().unwrap() < Duration::from_secs(3600));
        assert_eq!(told.permissions().mode() & 0o022, 0);
        for path in ["written", "taken"] {
            assert!(!arena.path(path).exists(), "{path}");
        }
        nothing_runs("98701");
    }
}

#[test]
fn what_takes_too_much_is_ended_with_all_it_began() {
    if !has_tools() || !has_program("bash") {
        return;
    }
    for user in users() {
        let arena = Arena::new().as_user(user);
        // A refusal leaves a note there.
        std::os::unix::fs::chown(arena.path("clients"), user, user).unwrap();
        for (name, lines, said) in [
            ("sleeper", "sleep 98702", "it took longer than 2 s"),
            ("forker", "f() { f | f & }; f; sleep 98702", "it "),
            ("writer", "for i in 1 2 3 4 5 6 7 8; do head -c 250M /dev/zero > $i; done; sleep 98702", "it "),
        ] {
            let lines = lines.replace('$', "$$");
            let begun = Instant::now();
            let (ran, _) = make(&arena, name, &lines, &["--time", "2s"]);
            assert!(
                ran.status == Some(4) && ran.stdout.contains(&format!("refused  {name}: make was stopped: {said}")),
                "{ran:?}"
            );
            assert!(begun.elapsed() < Duration::from_secs(60), "{name}");
            nothing_runs("98702");
        }
        // One that talks on and on is cut in what is kept of it.
        let (ran, kept) = make(&arena, "talker", "head -c 3000000 /dev/zero | tr '\\0' x", &[]);
        assert!(ran.status == Some(4) && kept.contains("bytes left out") && kept.len() < 300_000, "{}", kept.len());
    }
}

#[test]
fn who_stops_it_leaves_nothing() {
    if !has_tools() {
        return;
    }
    let arena = Arena::new();
    fs::create_dir(arena.path("sleeper")).unwrap();
    arena.file("sleeper/Makefile", "all:\n\tsleep 98703\n");
    fs::create_dir(arena.path("temporary")).unwrap();
    let mut running =
        arena.command(["build", "sleeper"]).env("TMPDIR", arena.path("temporary")).process_group(0).spawn().unwrap();
    await_that(|| runs("98703"));
    kill_process(Pid::from_child(&running), Signal::INT).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
    nothing_runs("98703");
    assert_eq!(fs::read_dir(arena.path("temporary")).unwrap().count(), 0);
}

/// A program in Go, as its starter is, with a Makefile and without one.
#[test]
fn a_project_in_go_becomes_a_program() {
    if !has_tools() || !has_command("go", &["go", "version"]) {
        return;
    }
    let arena = Arena::new();
    arena.agon(["new", "go", "grundy", "anna"]).well();
    arena.agon(["new", "go", "grundy", "bert"]).well();
    fs::remove_file(arena.path("bert/Makefile")).unwrap();
    let ran = arena.agon(["build", "anna", "bert", "--out", "built", "--time", "300s"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("built/anna.bin (make)") && ran.stdout.contains("built/bert.bin (go)"), "{ran:?}");
    let matches = "match built/anna.bin built/bert.bin -g grundy -o heaps=8 --openings 1 -q";
    arena.agon(matches.split(' ')).well();
}

/// A script is taken as it is: with the Makefile of its kit, one whose first target builds nothing, or none.
#[test]
fn a_script_needs_no_build() {
    if !has_tools() || !has_program("python3") {
        return;
    }
    for user in users() {
        let arena = Arena::new().as_user(user);
        for name in ["in/anna", "in/bert", "in/carl"] {
            arena.agon(["new", "python", "grundy", name]).well();
        }
        fs::write(arena.path("in/bert/Makefile"), "test: clients/bert.py\n\tno-such-program check $<\n").unwrap();
        fs::rename(arena.path("in/carl/clients/carl.py"), arena.path("in/dora.py")).unwrap();
        fs::remove_dir_all(arena.path("in/carl")).unwrap();
        let ran = arena.agon(["build", "in", "--out", "built"]).well();
        for name in ["anna", "bert", "dora"] {
            let said = format!("built    built/{name}.py (program): a program that python3");
            assert!(ran.stdout.contains(&said), "{ran:?}");
        }
        let help = "help: write in ladder.toml clients = [\"built/anna.py\", ...] and [run] programs = true";
        assert!(ran.stdout.contains(help), "{ran:?}");
        let matches = "match built/anna.py built/bert.py -g grundy -o heaps=8 --openings 1 -q";
        arena.agon(matches.split(' ')).well();
    }
}

#[test]
fn what_is_not_built_says_what_to_do_instead() {
    let arena = Arena::new();
    for (files, told) in [
        ("src/lib.rs", "its source is in Rust, without a Cargo.toml, which cargo reads, and without a Makefile"),
        ("main.go", "its source is in Go, without a go.mod"),
        ("bot.zig", "its source is in Zig, without a build.zig"),
        ("anna.py", "a script whose first line does not say what runs it; help: write as its first line"),
        ("bot.rar", "bot.rar is an archive that agon does not open; help: submit a .zip"),
        ("notes.txt", "it has no Makefile, no source in C or C++, no script, and no .so"),
    ] {
        for file in files.split(' ') {
            let path = arena.path("submission").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "x\n").unwrap();
        }
        let ran = arena.agon(["build", "submission"]);
        let said = format!("refused  submission: {told}");
        assert!(ran.status == Some(4) && ran.stdout.contains(&said), "{files}: {ran:?}");
        fs::remove_dir_all(arena.path("submission")).unwrap();
    }
    fs::create_dir(arena.path("submission")).unwrap();
    arena.file("submission/bot.c", "");
    let ran = arena.agon(["build", "submission"]);
    assert!(ran.stdout.contains("refused  submission: its source, bot.c, is empty; help: "), "{ran:?}");
    // A missing function is named as its game writes it.
    if has_program("cc") {
        arena.file("submission/bot.c", CLIENT.replace(" play(", " plays("));
        let ran = arena.agon(["build", "submission"]);
        assert!(ran.stdout.contains("add grundy_move play(const grundy_turn *turn)"), "{ran:?}");
    }
}

#[test]
fn what_a_killed_agon_began_ends_too() {
    if !has_tools() {
        return;
    }
    for user in users() {
        let arena = Arena::new();
        fs::create_dir(arena.path("sleeper")).unwrap();
        arena.file("sleeper/Makefile", "all:\n\t(sleep 98704 &) ; sleep 98704\n");
        let arena = arena.as_user(user);
        let mut running = arena.command(["build", "sleeper"]).process_group(0).spawn().unwrap();
        await_that(|| runs("98704"));
        running.kill().unwrap();
        running.wait().unwrap();
        await_that(|| !runs("98704"));
    }
}

fn await_that(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not come about");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn nobody_keeps_the_others_from_being_built() {
    if !has_tools() {
        return;
    }
    let arena = Arena::new();
    zip(
        &arena.path("class.zip"),
        &[
            ("ada_1_2_x/Makefile", MAKEFILE.as_bytes()),
            ("ada_1_2_x/mybot.c", CLIENT.as_bytes()),
            ("ada_1_2_x/.agon-tmp", b"a file"),
            ("bob_2_2_x/Makefile", b"all:\n\tkill -9 $$PPID; exit 114\n"),
            ("bob_2_2_x/.agon-said/x", b""),
            ("carl_3_2_x/Makefile/x.c", b"int x;"),
            ("dora_4_2_x/Makefile", MAKEFILE.as_bytes()),
            ("dora_4_2_x/mybot.c", CLIENT.as_bytes()),
        ],
    );
    let ran = arena.agon(["build", "class.zip"]);
    assert!(ran.status == Some(4) && ran.stdout.contains("2 of 4 built"), "{ran:?}");
}
