//! Folders that a ladder opens to its clients: of libraries that a teacher trusts, and of runtimes for programs. Only
//! these, never wide ones, and no stranger's ladder opens any.

mod away;

use crate::builder::{Arena, Ran, finish};
use crate::cluster::Cluster;
use crate::held::wait_until;
use agon_postgres::PostgresRecord;
use agon_record::database::Roster as _;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Plays the first legal split; the library that it needs lies in a network folder.
const LINKED: &str = "#include <agon/grundy.h>
int trusted(void);
const char *get_player_name(void) { return \"linked\"; }
int initialize(const grundy_setup *setup) { return setup->num_heaps == 0 || trusted() != 7; }
void finalize(void) {}
grundy_move play(const grundy_turn *turn) {
    for (uint32_t heap = 0; heap < turn->num_heaps; heap++)
        for (uint32_t split = 1; split < turn->heaps[heap]; split++)
            if (grundy_may_split(turn->heaps[heap], split)) return (grundy_move){heap, split};
    return (grundy_move){0, 0};
}
AGON_CLIENT(grundy)
";

const HEAD: &str = "[ladder]\nname = \"opened\"\ngame = \"grundy\"\nseed = 1\nlineup = [\"linked\", \"grundy\"]\n[options]\n\
                    heaps = \"9\"\n[time]\nper_move = \"5s\"\n";

/// A client that finds a library by rpath in `network/lib`, which a link leads to.
fn arena() -> Option<Arena> {
    let arena = Arena::new();
    arena.rust_client("grundy");
    let library =
        arena.c_client_with("stand-in", "int trusted(void) { return 7; }\n", &["-Wl,-soname,libtrusted.so"])?;
    fs::create_dir_all(arena.path("network/lib")).unwrap();
    fs::rename(library, arena.path("network/lib/libtrusted.so")).unwrap();
    std::os::unix::fs::symlink(arena.path("network"), arena.path("link")).unwrap();
    let lib = arena.path("network/lib").display().to_string();
    arena.c_client_with("linked", LINKED, &[&format!("-L{lib}"), &format!("-Wl,-rpath,{lib}"), "-ltrusted"])?;
    Some(arena)
}

fn run(arena: &Arena, keys: &str, args: &[&str]) -> Ran {
    arena.ladder_toml(&format!("{HEAD}[run]\n{keys}\n"));
    arena.agon([&["ladder"], args].concat())
}

#[test]
fn a_library_is_loaded_from_a_folder_that_the_ladder_names_and_only_then() {
    let Some(arena) = arena() else { return };
    for isolation in ["process", "reuse"] {
        let keys = format!("isolation = \"{isolation}\"\nlibraries = [\"link/lib\"]");
        run(&arena, &keys, &["-q", "--fresh"]).well();
        let table = arena.agon(["standings", "--json"]).json();
        assert_eq!(table["matches"], 2, "{table}");
        for shown in arena.all_shown() {
            assert!(shown.seats.iter().all(|seat| seat.fault.is_none()), "{:?}", shown.seats);
        }
    }
    // Without the key the load fails, and the message names the key with the folder.
    let closed = run(&arena, "", &["-q", "--fresh"]);
    let lib = arena.path("network/lib").display().to_string();
    let help = format!("name it in the ladder: [run] libraries = [\"{lib}\"]");
    assert!(closed.stdout.contains(&help) && closed.stdout.contains("load-failure"), "{closed:?}");
    // Another folder does not help, and an empty one is a disk that is not mounted.
    fs::create_dir_all(arena.path("other/lib")).unwrap();
    arena.ladder_toml(&format!("{HEAD}[run]\nlibraries = [\"other/lib\"]\n"));
    let waits = arena.start(["ladder", "-q", "--fresh"]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    arena.file("other/lib/libother.so", "");
    let waited = finish(waits);
    assert!(waited.stderr.contains("it is empty, so nothing is mounted there"), "{waited:?}");
    let other = run(&arena, "libraries = [\"other/lib\"]", &["-q", "--fresh"]);
    assert!(other.stdout.contains(&help), "{other:?}");
}

#[test]
fn whatever_examines_a_client_opens_the_folders_of_its_ladder() {
    let Some(arena) = arena() else { return };
    fs::create_dir_all(arena.path("drafts")).unwrap();
    fs::rename(arena.path("clients/linked.so"), arena.path("drafts/linked.so")).unwrap();
    let open = format!("{HEAD}[run]\nlibraries = [\"network/lib\"]\n");
    fs::create_dir_all(arena.path("elsewhere")).unwrap();
    arena.file("elsewhere/closed.toml", HEAD);
    arena.ladder_toml(&open);
    for (words, passes) in [(&["--ladder-file", "elsewhere/closed.toml"][..], false), (&[], true)] {
        let checked = arena.agon([&["check", "drafts/linked.so", "-n", "2"], words].concat());
        assert_eq!(checked.status == Some(0), passes, "{checked:?}");
        let added = arena.agon([&["add", "drafts/linked.so"], words].concat());
        assert_eq!(added.status == Some(0), passes, "{added:?}");
        let told = if passes { "trial against itself with" } else { "[run] libraries" };
        assert!(added.stdout.contains(told) && !added.stdout.contains("load-failure"), "{added:?}");
    }
    // A ladder file with errors opens nothing, and a note says so.
    arena.ladder_toml(&open.replace("network/lib", "/etc"));
    let added = arena.agon(["add", "--replace", "drafts/linked.so"]);
    assert!(added.status == Some(4) && added.stderr.contains("so it opens no folder to clients"), "{added:?}");
}

#[test]
fn a_rerun_names_the_folders_that_it_keeps_closed() {
    let Some(arena) = arena() else { return };
    run(&arena, "libraries = [\"link/lib\"]", &["-q", "--fresh"]).well();
    let lib = arena.path("network/lib").canonicalize().unwrap().display().to_string();
    let note = format!("note: agon rerun keeps folders closed that [run] opened to clients: {lib}");
    let again = arena.agon(["rerun", "last"]).well();
    assert!(again.stdout.contains(&note), "{again:?}");
    // Where the same client is built without that library, nobody needs the folder.
    arena.c_client("linked", &LINKED.replace("int trusted(void);", "static int trusted(void) { return 7; }")).unwrap();
    run(&arena, "libraries = [\"link/lib\"]", &["-q", "--fresh"]).well();
    let again = arena.agon(["rerun", "last"]).well();
    assert!(again.stdout.contains("is the same") && !again.stdout.contains("note:"), "{again:?}");
}

#[test]
fn opened_folders_are_terms() {
    let Some(arena) = arena() else { return };
    run(&arena, "libraries = [\"network/lib\"]", &["-q"]).well();
    let lib = arena.path("network/lib").canonicalize().unwrap().display().to_string();
    let lines = arena.agon(["show", "last", "--jsonl"]).well().stdout;
    assert!(lines.contains(&format!("\"run.libraries\":\"{lib}\"")), "{lines}");
    fs::create_dir_all(arena.path("other/lib")).unwrap();
    arena.file("other/lib/libother.so", "");
    let changed = run(&arena, "libraries = [\"network/lib\", \"other/lib\"]", &["-q"]);
    assert!(changed.status == Some(3) && changed.stderr.contains("run.libraries: was "), "{changed:?}");
    // The same behind a link.
    run(&arena, "libraries = [\"link/lib\"]", &["-q"]).well();
}

#[test]
fn wide_folders_and_those_of_the_ladder_stay_closed() {
    let Some(arena) = arena() else { return };
    std::os::unix::fs::symlink("/", arena.path("all")).unwrap();
    let home = std::env::home_dir().unwrap();
    for (folder, why) in [
        ("/", "/ is at the top"),
        ("all", "/ is at the top"),
        ("/etc", "/etc is a folder of the system"),
        (home.to_str().unwrap(), " is "),
        (".", "is or has the ladder's files"),
        ("..", " is "),
        ("clients", "files of clients"),
        ("agon-out", "is or has the record"),
        ("missing", "No such file or directory"),
        ("ladder.toml", "it is not a folder"),
    ] {
        fs::create_dir_all(arena.path("agon-out/files")).unwrap();
        for key in ["libraries", "runtimes"] {
            let ran = run(&arena, &format!("{key} = [{folder:?}]"), &["--dry-run"]);
            let told = format!("{key} cannot open {folder:?}: ");
            assert!(
                ran.status == Some(3) && ran.stderr.contains(&told) && ran.stderr.contains(why),
                "{folder}: {ran:?}"
            );
        }
    }
}

#[test]
fn a_worker_opens_no_folder_of_a_stranger_s_ladder_unless_it_is_told_to() {
    let (Some(cluster), Some(arena)) = (Cluster::shared(), arena()) else { return };
    arena.ladder_toml(&format!("{HEAD}[run]\nlibraries = [\"network/lib\"]\n"));
    let url = cluster.database();
    let ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    wait_until("the record is made", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
    let why = || {
        let workers = PostgresRecord::open(&url).and_then(|record| record.workers()).unwrap_or_default();
        workers.first().and_then(|row| row.why.clone()).unwrap_or_default()
    };
    let words = ["worker", "run", &url, "--jobs", "1", "--name", "careful", "--cache", "careful"];
    let careful = arena.start(words);
    wait_until("it has declined", || why().contains("clients may also read "));
    assert!(why().contains("less than the full sandbox"), "{}", why());
    kill_process(Pid::from_child(&careful), Signal::TERM).unwrap();
    finish(careful);
    let words = ["worker", "run", &url, "--jobs", "1", "--name", "told", "--cache", "told", "--allow-weaker-sandbox"];
    let told = arena.start(words);
    finish(ladder).well();
    kill_process(Pid::from_child(&told), Signal::TERM).unwrap();
    finish(told);
}

#[test]
fn a_program_runs_by_a_runtime_in_a_folder_that_the_ladder_names() {
    let Some(arena) = arena() else { return };
    let shell = fs::canonicalize("/bin/sh").unwrap();
    fs::create_dir_all(arena.path("tools/bin")).unwrap();
    fs::copy(shell, arena.path("tools/bin/own-shell")).unwrap();
    fs::write(arena.path("tools/words"), "read from the runtime's folder\n").unwrap();
    let own = arena.path("tools/bin/own-shell");
    let script =
        format!("#!{}\nread line < {}\necho \"$line\" >&2\n", own.display(), arena.path("tools/words").display());
    let file = arena.file("clients/linked.sh", script);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let ladder = |keys: &str| {
        let client = "[[client]]\nname = \"script\"\nfile = \"clients/linked.sh\"\n";
        let text = HEAD.replace("\"linked\"", "\"script\"");
        arena.ladder_toml(&format!("{text}[run]\nprograms = true\n{keys}\n{client}"));
        arena.agon(["ladder", "-q", "--fresh"])
    };
    ladder("runtimes = [\"tools\"]").well();
    let shown = arena.agon(["show", "last"]).well().stdout;
    assert!(shown.contains("read from the runtime's folder"), "{shown}");
    let closed = ladder("").well();
    assert!(closed.stdout.contains("load-failure"), "{closed:?}");
    let shown = arena.agon(["show", "last"]).well().stdout;
    assert!(shown.contains("[run] runtimes"), "{shown}");
}
