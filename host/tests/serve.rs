//! A host serves a client: the round trip, the name, the log, and what it says of a client that does not fit.

use crate::rig::{Host, build, build_with, expected, has_compiler, setup};
use agon_abi::{NameFlaw, OpenStatus, RequestKind};

#[test]
fn a_match_from_hello_to_finalize() {
    if !has_compiler() {
        return;
    }
    let client =
        build(&["PLAY=move->number += setup->values[turn->number] + strlen(turn->text)", "FINALIZE=puts(\"bye\")"]);
    let mut host = Host::ready(&client, &[]);
    assert_eq!(host.name(), Some((NameFlaw::None, b"Echo".to_vec())));
    assert_eq!(host.play(2), Some(2 + 30 + 5));
    for _ in 0..200 {
        assert_eq!(host.play(0), Some(10 + 5));
    }
    assert!(host.ask(RequestKind::Finalize, &agon_abi::Blob::new()).is_some());
    let end = host.end();
    assert_eq!((end.code, end.output.as_str(), end.log.as_str()), (Some(0), "bye\n", ""));
}

#[test]
fn the_setup_belongs_to_the_client() {
    if !has_compiler() {
        return;
    }
    let client = build(&["PLAY=move->number = setup->values[0] += turn->number"]);
    let mut host = Host::ready(&client, &[]);
    assert_eq!((host.play(1), host.play(5)), (Some(11), Some(16)));
    assert_eq!(host.ask(RequestKind::Initialize, &setup()).unwrap().status, 0);
    assert_eq!(host.play(1), Some(11));
}

#[test]
fn a_client_declines() {
    if !has_compiler() {
        return;
    }
    let client = build(&["INITIALIZE=return -3"]);
    let mut host = Host::start(&client, &[]);
    assert_eq!(host.open(), Some(OpenStatus::Ready));
    assert_eq!(host.ask(RequestKind::Initialize, &setup()).unwrap().status, -3);
}

#[test]
fn names_with_flaws_are_no_crash() {
    if !has_compiler() {
        return;
    }
    let page = "NAME=({ char *p = mmap(0, 8192, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0); munmap(p + 4096, 4096); \
                memset(p, 'x', 4096); p + 4093; })";
    for (name, flaw, bytes) in [
        ("NAME=NULL", NameFlaw::Null, &b""[..]),
        ("NAME=(char *)16", NameFlaw::Wild, b""),
        ("NAME=(char *)-1", NameFlaw::Wild, b""),
        (page, NameFlaw::Wild, b"xxx"),
        ("NAME=memset(text, 'a', 200)", NameFlaw::Endless, &[b'a'; 32]),
        ("NAME=\"\"", NameFlaw::None, b""),
    ] {
        let mut host = Host::ready(&build(&[name]), &[]);
        assert_eq!(host.name(), Some((flaw, bytes.to_vec())), "{name}");
        assert_eq!(host.play(3), Some(3));
    }
}

#[test]
fn what_does_not_fit_is_named() {
    if !has_compiler() {
        return;
    }
    for (macros, opened, text) in [
        (
            &["SHIFT=8"][..],
            OpenStatus::OtherLayout,
            "echo_setup.values is at byte 144 in your client and at byte 136 here",
        ),
        (&["ABI=2"], OpenStatus::OtherAbi, "version 2"),
        (&["GAME=\"chess\""], OpenStatus::OtherGame, "\"chess\""),
        (&["SYMBOL=other"], OpenStatus::NoDescriptor, "agon_client"),
        (&["SYMBOL=other", "MARKER"], OpenStatus::NoMacro, "add the line AGON_CLIENT"),
    ] {
        let client = build(macros);
        let mut host = Host::start(&client, &[]);
        assert_eq!(host.open(), Some(opened));
        let log = host.end().log;
        assert!(log.starts_with("agon.load\t") && log.contains(text), "{log}");
    }
    let client = build(&["START=undefined_thing()"]);
    let mut host = Host::start(&client, &[]);
    assert_eq!(host.open(), Some(OpenStatus::NotLoadable));
    let log = host.end().log;
    assert!(log.contains("undefined symbol: undefined_thing"), "{log}");
}

#[test]
fn fields_and_sizes_are_compared_by_name() {
    if !has_compiler() {
        return;
    }
    let client = build(&[]);
    let refusal = |change: &dyn Fn(&mut agon_abi::Expected)| {
        let mut expected = expected();
        change(&mut expected);
        let mut host = Host::start(&client, &[]);
        assert_eq!(host.open_as(&expected), Some(OpenStatus::OtherLayout));
        host.end().log
    };
    assert!(refusal(&|e| e.fields.push(("echo_move.more".into(), 8, 8))).contains("echo_move.more is missing"));
    assert!(refusal(&|e| e.fields[1].2 = 4).contains("echo_setup.count has 8 bytes in your client and 4 here"));
    assert!(refusal(&|e| e.sizes[1] = 96).contains("the turn of echo has 64 bytes in your client and 96 here"));
}

#[test]
fn the_log_keeps_its_lines_apart() {
    if !has_compiler() {
        return;
    }
    let client = build(&["PLAY=setup->head.services->log(\"agon.crash\\tx\", \"a\\nb\")"]);
    let mut host = Host::ready(&client, &[]);
    host.play(1).unwrap();
    assert_eq!(host.end().log, "client.agon.crash x\ta b\n");
}

#[test]
fn a_full_log_drops_and_counts() {
    if !has_compiler() {
        return;
    }
    let client = build(&["PLAY=for (int i = 0; i < 20000; ++i) setup->head.services->log(\"depth\", \"12345678\")"]);
    let mut host = Host::ready(&client, &[]);
    assert_eq!(host.play(1), Some(1));
    assert!(host.end().log.lines().count() < 20000);
}

#[test]
fn time_used_is_that_of_the_running_call() {
    if !has_compiler() {
        return;
    }
    let burn =
        "PLAY=for (clock_t end = clock() + 30000; clock() < end;); move->number = setup->head.services->cpu_us()";
    let mut host = Host::ready(&build(&[burn]), &[]);
    for _ in 0..3 {
        let used = host.play(0).unwrap();
        assert!((30_000..500_000).contains(&used), "{used}");
    }
    let mut host = Host::ready(&build(&["PLAY=usleep(30000); move->number = setup->head.services->cpu_us()"]), &[]);
    host.play(0).unwrap();
    assert!(host.play(0).unwrap() < 15_000, "sleep costs no processor time");
}

#[test]
fn output_before_a_crash_is_kept_and_the_crash_is_told() {
    if !has_compiler() {
        return;
    }
    for (what, signal, words) in [
        ("*(volatile int *)(uintptr_t)zero = 1", libc::SIGSEGV, "write at address 0x0 (a null pointer)"),
        ("((void (*)(void))(uintptr_t)zero)()", libc::SIGSEGV, "call of a function at address 0x0"),
        ("*(volatile int *)0xdead000000000000", libc::SIGSEGV, "an address that no memory can have"),
        ("dive(0)", libc::SIGSEGV, "stack overflow"),
        ("move->number /= zero", libc::SIGFPE, "division by zero"),
        ("abort()", libc::SIGABRT, "abort was called"),
        ("__builtin_trap()", libc::SIGILL, "illegal instruction"),
        ("raise(SIGSEGV)", libc::SIGSEGV, "sent itself a signal"),
    ] {
        let (mv, end) = crate::rig::play_once(&format!("printf(\"before\"); {what}"), &[]);
        assert_eq!((mv, end.signal, end.output.as_str()), (None, Some(signal), "before"), "{what}: {end:?}");
        assert!(end.log.starts_with("agon.crash\t") && end.log.contains(words), "{what}: {}", end.log);
        assert_eq!(end.log.lines().count(), 1);
    }
}

#[test]
fn a_truncated_library_is_a_crash() {
    if !has_compiler() {
        return;
    }
    let client = build_with(&[], &["-shared"]);
    let bytes = std::fs::read(&client.0).unwrap();
    std::fs::write(&client.0, &bytes[..4200]).unwrap();
    let mut host = Host::start(&client, &[]);
    let opened = host.open();
    let end = host.end();
    assert!(opened == Some(OpenStatus::NotLoadable) || end.signal == Some(libc::SIGBUS), "{opened:?} {end:?}");
}

#[test]
fn a_request_out_of_place_ends_the_host() {
    if !has_compiler() {
        return;
    }
    let client = build(&[]);
    for bytes in [[0xff; 64], [0; 64]] {
        let mut host = Host::start(&client, &[]);
        host.write(&bytes);
        let end = host.end();
        assert_eq!(end.code, Some(3));
        assert!(end.log.starts_with("agon.host\t"), "{}", end.log);
    }
    let mut host = Host::start(&client, &[]);
    assert!(host.ask(RequestKind::Play, &setup()).is_none());
}

#[test]
fn a_long_setup_arrives_whole() {
    if !has_compiler() {
        return;
    }
    let client = build(&["PLAY=move->number = setup->values[turn->number]"]);
    let mut host = Host::start(&client, &[]);
    assert_eq!(host.open(), Some(OpenStatus::Ready));
    let mut blob = setup();
    let values = blob.push_slice(&(0..500_000u64).collect::<Vec<_>>());
    blob.link(std::mem::offset_of!(crate::rig::EchoSetup, values), values);
    assert_eq!(host.ask(RequestKind::Initialize, &blob).unwrap().status, 0);
    assert_eq!(host.play(499_999), Some(499_999));
}
