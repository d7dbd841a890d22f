//! Clients that are programs: legal ones in every game, what goes wrong with others in words, and what hostile ones
//! cannot do, each tried by a real process.

mod mistakes;

use crate::builder::{Arena, EIGHT_STICKS, Ran, Shown, has_program, users};
use std::fs;

const GAMES: [&str; 5] = ["amazons", "grundy", "mastermind", "six_qui_prend", "tirs_croises"];

/// An opponent of all of them, in Python, too.
fn arena() -> Option<Arena> {
    if !has_program("python3") {
        return None;
    }
    let arena = Arena::new();
    arena.file("clients/sound.py", program("pass"));
    Some(arena)
}

/// A program for Grundy's game that does this before each move: lines of Python.
fn program(act: &str) -> String {
    let act = act.replace('\n', "\n    ");
    format!(
        "#!/usr/bin/env python3
import ctypes, json, os, signal, socket, sys, threading, time
def say(answer): print(json.dumps(answer), flush=True)
def spin():
    while True: pass
for line in sys.stdin:
    question = json.loads(line)
    if question['ask'] == 'setup':
        say({{'name': 'program'}})
        continue
    heap = next(heap for heap, sticks in enumerate(question['turn']['heaps']) if sticks > 2)
    {act}
    say({{'move': {{'heap': heap, 'split': 1}}}})
"
    )
}

/// A match against `sound`, with so much time for a move.
fn play(arena: &Arena, name: &str, time: &str) -> Shown {
    let ran = arena.agon(["match", name, "sound", "-g", "grundy", "-o", "heaps=8", "--openings", "1", "--time", time]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    arena.shown("last")
}

#[test]
fn each_game_has_a_client_in_python_that_is_legal() {
    if !has_program("python3") || !has_program("make") {
        return;
    }
    let arena = Arena::new();
    for game in GAMES {
        let name = format!("py-{}", game.replace('_', "-"));
        arena.agon(["new", "python", game, &name]).well();
        let file = arena.path(&name).join(format!("clients/{name}.py"));
        let ran = arena.agon(["check", file.to_str().unwrap(), "-g", game]).well();
        assert!(ran.stdout.ends_with("it can play\n"), "{game}: {}", ran.stdout);
    }
}

#[test]
fn a_program_in_javascript_plays() {
    let Some(arena) = arena() else { return };
    if !has_program("node") {
        return;
    }
    arena.file(
        "clients/script.js",
        "#!/usr/bin/env node
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const question = JSON.parse(line);
  if (question.ask === 'setup') return console.log(JSON.stringify({ name: 'script' }));
  const heap = question.turn.heaps.findIndex(sticks => sticks > 2);
  console.log(JSON.stringify({ move: { heap, split: 1 } }));
});
",
    );
    let shown = play(&arena, "script", "300ms");
    assert_eq!((shown.ending(), shown.seat_of("script").told_name.as_str()), ("over", "script"), "{:#}", shown.json);
}

#[test]
fn an_executable_plays_by_itself_and_is_no_library() {
    let Some(arena) = arena() else { return };
    if !has_program("cc") {
        return;
    }
    arena.file("talks.c", EIGHT_STICKS);
    arena.file("silent.c", "int main(void) { return 0; }");
    for (name, flags) in
        [("talks", "-static-pie"), ("talks-linked", "-pie"), ("talks-fixed", "-no-pie"), ("silent", "-pie")]
    {
        let source = if name == "silent" { "silent.c" } else { "talks.c" };
        let file = arena.path(format!("clients/{name}.bin"));
        let mut command = std::process::Command::new("cc");
        command.args([flags, "-fPIE", "-o"]).arg(&file).arg(arena.path(source));
        Ran::from(command.output().unwrap()).well();
    }
    for name in ["talks", "talks-linked", "talks-fixed"] {
        let shown = play(&arena, name, "300ms");
        let seat = shown.seat_of(name);
        assert_eq!((shown.ending(), seat.told_name.as_str()), ("over", "compiled"), "{:#}", shown.json);
        assert!(seat.layers.iter().any(|layer| layer == "program"), "{:#}", shown.json);
    }
    // Who has a main and forgot -shared is told of both ways.
    let ran = arena.agon(["check", "clients/silent.bin"]);
    assert!(
        ran.status == Some(4) && ran.stdout.contains("if it was to be a library, build it with -shared"),
        "{ran:?}"
    );
    arena.ladder_toml("[ladder]\nname = \"l\"\ngame = \"grundy\"\nclients = [\"clients/*\"]\nopenings = 1\n");
    let ran = arena.agon(["ladder", "-q"]);
    let why = "it is a program that starts by itself, not a shared library, and this ladder plays libraries only; help: \
               build it with: cc -O2 -g -shared -fPIC";
    assert!(ran.stderr.contains(why), "{ran:?}");
}

#[test]
fn what_a_program_logs_is_kept_and_ends_matches_like_a_library_s() {
    let Some(arena) = arena() else { return };
    let logs =
        |value: &str| program("pass").replace("'split': 1}", &format!("'split': 1}}, 'log': {{'value': {value}}}"));
    arena.file("clients/sure.py", logs("9000 if question['turn']['num_moves'] % 2 == 0 else -9000"));
    let words =
        ["match", "sure", "sure", "-g", "grundy", "-o", "heaps=40", "--openings", "1", "-s", "1", "--adjudicate", "2"];
    arena.agon(words).well();
    let shown = arena.agon(["show", "last", "--moves"]).well().stdout;
    assert!(shown.contains("both clients' values agreed") && shown.contains("9000"), "{shown}");
}

#[test]
fn a_period_is_told_and_its_total_is_given_again() {
    let Some(arena) = arena() else { return };
    let head = "question['turn']['head']";
    let told = format!("'split': 1}}, 'log': {{'left': '%s of %s' % ({head}['moves_left'], {head}['total_left_us'])}}");
    arena.file("clients/asks.py", program("pass").replace("'split': 1}", &told));
    let words = "match asks asks -g grundy -o heaps=12 --openings 1 -s 1 --tc 2/60";
    arena.agon(words.split(' ')).well();
    let shown = arena.agon(["show", "last", "--jsonl"]).well().stdout;
    let seconds = |text: &str| {
        let (moves, us) = text.strip_prefix("left\t")?.trim().split_once(" of ")?;
        Some((moves.parse().ok()?, us.parse::<u64>().ok()? / 1_000_000))
    };
    let lines = shown.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let first = lines.filter(|line| line["seat"] == 0).filter_map(|line| seconds(line["text"].as_str()?));
    let told: Vec<(u64, u64)> = first.take(3).collect();
    // The clock stands below what was given, and above all of it once more is given.
    assert!(matches!(told[..], [(2, 60), (1, 59), (2, 119)]), "{told:?}\n{shown}");
}

#[test]
fn check_advises_authors_of_programs_in_their_words() {
    let Some(arena) = arena() else { return };
    let check = |text: &str| {
        let file = arena.file("anna.py", text);
        arena.agon(["check", file.to_str().unwrap(), "-g", "grundy", "-n", "2", "--time", "300ms"])
    };
    let of_libraries = ["agon_cpu_us", "->head", "cc -", "client.so", "agon show", "AGON_CLIENT"];
    for (text, said) in [
        (
            program("pass").replace("#!/usr/bin/env python3\n", ""),
            "write as its first line, before everything else: #!/usr/bin/env python3",
        ),
        (program("spin()"), "answer before turn.head.cpu_left_us"),
        (program("time.sleep(9)"), "in Python print(line, flush=True)"),
        (program("nothing()"), "anna.py\", line "),
        (
            program("say({'move': {'heap': heap, 'spilt': 1}})"),
            "the program wrote a move with \"spilt\", which is none of heap, split",
        ),
        (program("print('thinking')"), "print only answers to stdout"),
    ] {
        let ran = check(&text);
        assert!(ran.status != Some(0) && ran.stdout.contains(said), "{said}: {}", ran.stdout);
        assert!(of_libraries.iter().all(|word| !ran.stdout.contains(word)), "{}", ran.stdout);
    }
    let gone = arena.agon(["check", "nobody.py", "-g", "grundy"]);
    assert!(gone.stdout.contains("there is no file nobody.py") && gone.stdout.contains("correct the path"), "{gone:?}");
}

#[test]
fn the_record_says_that_a_client_was_a_program() {
    let Some(arena) = arena() else { return };
    if arena.c_client("plain", "client-api/starters/grundy.c").is_none() {
        return;
    }
    let shown = play(&arena, "plain", "300ms");
    assert_eq!(shown.ending(), "over", "{:#}", shown.json);
    let says = |client: &str| shown.seat_of(client).layers.iter().any(|layer| layer == "program");
    assert_eq!((says("plain"), says("sound")), (false, true), "{:#}", shown.json);
}

#[test]
fn a_ladder_plays_programs_only_where_it_says_so() {
    let Some(arena) = arena() else { return };
    arena.file("clients/other.py", program("heap = heap"));
    let ladder = |run: &str| {
        let name = run.len(); // one ladder each, since isolation is a term
        let text = format!(
            "[ladder]\nname = \"l{name}\"\ngame = \"grundy\"\nclients = [\"clients/*.py\"]\nopenings = 1\n[options]\nheaps = \"8\"\n"
        );
        arena.ladder_toml(&format!("{text}[run]\n{run}\n"));
        arena.agon(["ladder", "-q"])
    };
    for (run, why) in [
        ("jobs = 1", "this ladder plays compiled libraries only; help: docs/guides/programs.md"),
        ("programs = true\nisolation = \"none\"", "help: play it with isolation = \"process\""),
    ] {
        let ran = ladder(run);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{run}: {ran:?}");
    }
    for run in ["programs = true", "programs = true\nisolation = \"reuse\""] {
        let ran = ladder(run).well();
        assert!(ran.stdout.contains("other") && ran.stdout.contains("sound"), "{ran:?}");
    }
}

#[test]
fn root_plays_a_program_from_a_folder_that_is_another_s() {
    use std::os::unix::fs::PermissionsExt;
    let Some(arena) = arena() else { return };
    if !rustix::process::geteuid().is_root() {
        return;
    }
    std::os::unix::fs::chown(arena.path(""), Some(65534), None).unwrap();
    fs::set_permissions(arena.path(""), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(play(&arena, "sound", "300ms").ending(), "over");
}

/// What reaches beyond its process, each in a line that says its name and what came of it.
const REACHES: &str = r#"
def loses(name, act):
    try:
        print(name, 'DONE', act(), file=sys.stderr)
    except (OSError, RuntimeError, ValueError) as error:
        print(name, 'refused', error, file=sys.stderr)
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    if libc.syscall(*words) < 0: raise OSError(ctypes.get_errno(), 'refused')
def connect(family, address):
    socket.socket(family).connect(address)
if 'reached' not in globals():
    reached = True
    loses('fork', lambda: os.fork() or os._exit(0))
    loses('double-fork', lambda: (os.fork() or os.fork()) or os._exit(0))
    loses('system', lambda: os.posix_spawn('/bin/true', ['true'], {}))
    loses('exec', lambda: os.execv('/bin/true', ['true']))
    loses('again', lambda: os.execv(sys.executable, ['python3', '-c', 'print(1)']))
    loses('git', lambda: os.execv('/usr/lib/git-core/git', ['git']))
    loses('loader', lambda: os.execv('/lib64/ld-linux-x86-64.so.2', ['ld.so', '/bin/sh']))
    loses('session', os.setsid)
    loses('kill', lambda: os.kill(os.getppid(), 0))
    loses('passwd', lambda: open('/etc/passwd').read())
    loses('others', lambda: open(os.path.dirname(sys.argv[0]) + '/../agon.sqlite', 'rb').read(1))
    loses('listing', lambda: os.listdir(os.path.dirname(sys.argv[0])))
    loses('environment', lambda: open('/proc/%d/environ' % os.getppid()).read())
    loses('self', lambda: open('/proc/self/mem', 'r+b'))
    loses('write', lambda: open('/tmp/agon-left-behind', 'w'))
    loses('own-file', lambda: open(sys.argv[0], 'a'))
    loses('folder', lambda: os.mkdir('/tmp/agon-left-behind'))
    loses('remove', lambda: os.remove(sys.argv[0]))
    loses('mode', lambda: os.chmod(sys.argv[0], 0o777))
    loses('tcp', lambda: connect(socket.AF_INET, ('127.0.0.1', 9)))
    loses('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    loses('unix', lambda: connect(socket.AF_UNIX, '/run/x'))
    loses('memory-file', lambda: os.memfd_create('x'))
    loses('shared', lambda: call(9, 0, 1 << 20, 3, 0x21, -1, 0) if libc.syscall(9, 0, 1 << 20, 3, 0x21, -1, 0) == -1 else 1)
    loses('trace', lambda: call(101, 16, os.getppid(), 0, 0))
    loses('ring', lambda: call(425, 1, 0))
    loses('affinity', lambda: os.sched_setaffinity(0, [0, 1]))
    loses('nice', lambda: os.nice(-1))
    loses('limits', lambda: __import__('resource').setrlimit(7, (9999, 9999)))
    loses('root', lambda: os.setuid(0) or os.open('/etc/shadow', 0))
"#;

#[test]
fn a_hostile_program_reaches_nobody() {
    if !has_program("python3") {
        return;
    }
    for user in users() {
        let arena = Arena::new();
        arena.file("clients/sound.py", program("pass"));
        arena.file("clients/bad.py", program(REACHES));
        let arena = arena.as_user(user);
        let before = arena.traces();
        let shown = play(&arena, "bad", "5s");
        assert_eq!(shown.seat_of("bad").fault.as_ref().map(|fault| &fault.message), None, "{:#}", shown.json);
        let said = arena.agon(["show", "last", "--jsonl"]).well().stdout;
        let count = REACHES.matches("loses('").count();
        assert_eq!(said.matches(" refused ").count(), count, "{user:?}: {said}");
        assert!(!said.contains(" DONE "), "{user:?}: {said}");
        arena.traces().nothing_beyond(&before);
    }
}

#[test]
fn a_program_is_added_and_found_by_its_name() {
    let Some(arena) = arena() else { return };
    fs::rename(arena.path("clients/sound.py"), arena.path("anna.py")).unwrap();
    let ran: Ran = arena.agon(["add", "anna.py"]).well();
    assert!(ran.stdout.contains("added    clients/anna.py (a program that python3"), "{ran:?}");
    assert!(arena.agon(["check", "anna", "-g", "grundy", "-n", "2"]).well().stdout.contains("it can play"));
    let ran = arena.agon(["check", "anna"]);
    assert!(ran.status == Some(4) && ran.stdout.contains("help: name it by -g: amazons"), "{ran:?}");
}
