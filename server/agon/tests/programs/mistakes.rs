//! What goes wrong with a program, in words: answers, setups and first lines.

use super::{arena, play, program};
use std::fs;

#[test]
fn what_goes_wrong_is_told_in_words() {
    let Some(arena) = arena() else { return };
    arena.file("clients/bad.py", program("pass"));
    let before = arena.traces();
    for (act, kind, said) in [
        ("print(1 // 0)", "early-exit", "its last line on stderr: ZeroDivisionError"),
        ("print('thinking')", "protocol", "wrote a line that is not JSON: thinking, in play"),
        (
            "say({'move': {'heap': heap, 'spilt': 1}})",
            "protocol",
            "the program wrote a move with \"spilt\", which is none of heap, split",
        ),
        (
            "os.write(1, b'{\"move\": {\"heap\": 0, \"split\": 1}}\\n' * 2); time.sleep(9)",
            "protocol",
            "a line that nobody asked for",
        ),
        ("while True: sys.stdout.write('x' * 9999)", "protocol", "a line of more than 64 KiB"),
        ("while True: print('x' * 9999)", "protocol", "a line that "),
        ("os.close(1); time.sleep(60)", "protocol", "closed its standard input or output"),
        ("os.close(0); os.close(1); spin()", "protocol", "closed its standard input or output"),
        ("os._exit(0)", "early-exit", "ended with status 0"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "early-exit", "was ended by SIGKILL"),
        ("ctypes.string_at(1)", "early-exit", "was ended by SIGSEGV"),
        ("spin()", "cpu-time", "processor time in play"),
        ("[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; spin()", "cpu-time", "processor time in play"),
        ("time.sleep(600)", "stalled", "no answer in play"),
        ("kept = b'x' * (1 << 30)", "out-of-memory", "MiB"),
        (
            "[threading.Thread(target=time.sleep, args=(9,)).start() for _ in range(99)]; time.sleep(9)",
            "too-many-threads",
            "threads",
        ),
        ("say({'move': {'heap': 99, 'split': 1}}); continue", "illegal", ""),
        ("print('x' * 99, file=sys.stderr); spin()", "cpu-time", ""),
    ] {
        arena.file("clients/bad.py", program(act));
        // Memory takes time to be filled, on a busy machine more than others have.
        let shown = play(&arena, "bad", if kind == "out-of-memory" { "30s" } else { "300ms" });
        let fault = shown.seat_of("bad").fault.clone().unwrap_or_else(|| panic!("{act}: {:#}", shown.json));
        assert!(fault.kind.starts_with(kind) && fault.message.contains(said), "{act}: {fault:?}");
    }
    arena.traces().nothing_beyond(&before);
}

#[test]
fn before_its_setup_a_program_can_go_wrong_too() {
    let Some(arena) = arena() else { return };
    for (text, kind, said) in [
        ("#!/usr/bin/env python3\nimport nosuchmodule\n", "early-exit", "No module named 'nosuchmodule'"),
        ("#!/usr/bin/env python3\nprint('hello')\nwhile True: pass\n", "protocol", "a line that "),
        ("#!/usr/bin/env python3\ninput(); print('{\"declined\": \"too hard\"}'); input()\n", "declined", "too hard"),
        ("#!/bin/cat\n", "protocol", "a line that "),
    ] {
        arena.file("clients/bad.py", text);
        let shown = play(&arena, "bad", "300ms");
        let fault = shown.seat_of("bad").fault.clone().unwrap_or_else(|| panic!("{text}: {:#}", shown.json));
        assert!(fault.kind == kind && fault.message.contains(said), "{text}: {fault:?}");
    }
}

#[test]
fn a_bad_first_line_is_the_client_s_own_fault() {
    let Some(arena) = arena() else { return };
    let endless = format!("#!/bin/sh {}", "a".repeat(300));
    let (options, folder) = ("--sandbox off --program /usr/bin/python3", arena.path("bin"));
    let (shell, link) = (arena.path("bin/sh"), arena.path("bin/link"));
    fs::copy("/bin/sh", &shell).unwrap();
    std::os::unix::fs::symlink(&shell, &link).unwrap();
    for (line, kind, said) in [
        (format!("#!/usr/bin/env -S python3 -- {options}"), "early-exit", "--sandbox'"),
        ("#!/usr/bin/env -S python3 -- --also / --program python3".to_owned(), "early-exit", "--also'"),
        ("#!/usr/bin/env nosuchprogram".to_owned(), "refused", "install nosuchprogram"),
        ("#!".to_owned(), "refused", "names no program"),
        ("#!bin/sh".to_owned(), "refused", "begin its path with /"),
        ("#!/bin/sh\0".to_owned(), "refused", "has a control character"),
        ("\u{feff}#!/bin/sh".to_owned(), "refused", "without that mark"),
        (endless, "refused", "more than 255 bytes"),
        ("#!/usr/share".to_owned(), "refused", "not a file"),
        (format!("#!{}", folder.display()), "refused", "not a file"),
        (format!("#!{}", shell.display()), "refused", "outside of what programs may read; help: install it in"),
        (format!("#!{}", link.display()), "refused", "outside of what programs may read; help: install it in"),
        ("#!/proc/self/exe".to_owned(), "refused", "outside of what programs may read; help: install it in"),
    ] {
        arena.file("clients/bad.py", format!("{line}\n"));
        let ran = arena.agon("match bad sound -g grundy --openings 1 -q -s 1".split(' '));
        assert!(!ran.stderr.contains("void"), "{line}: {ran:?}");
        if kind == "refused" {
            assert!(ran.status == Some(4) && ran.stderr.contains(said), "{line}: {ran:?}");
            continue;
        }
        let fault = arena.shown("last").seat_of("bad").fault.clone().unwrap_or_else(|| panic!("{line}"));
        assert!(fault.kind == kind && fault.message.contains(said), "{line}: {fault:?}");
    }
    // These are none.
    for line in ["#!/usr/bin/env -S python3 --", "#!/usr/bin/env python3\r"] {
        arena.file("clients/good.py", program("pass").replace("#!/usr/bin/env python3", line));
        assert_eq!(play(&arena, "good", "300ms").ending(), "over", "{line}");
    }
}
