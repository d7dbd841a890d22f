//! How many bits a second two clients of one match can still send each other, turn by turn, on one core and with every
//! layer of the sandbox.
#![cfg(target_arch = "x86_64")] // the clients read its counter of cycles

use crate::rig::{Built, Host, build_with, has_compiler};
use std::fs::{File, FileTimes};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

const ROUNDS: u64 = 2_000;

fn client(play: &str) -> Built {
    client_with(play, &[])
}

fn client_with(play: &str, defined: &[&str]) -> Built {
    let functions = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/covert.h");
    let play = format!("PLAY=move->number = {play}");
    build_with(&[&[&*play], defined].concat(), &["-O2", "-shared", "-include", functions])
}

/// Numbers without a pattern.
fn scramble(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 31)
}

/// The part of a bit that arrives, if it arrives wrong this often.
fn arrives(errors: f64) -> f64 {
    let part = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
    1.0 - part(errors) - part(1.0 - errors)
}

fn measure(what: &str, bits: u32, [send, hear]: [&str; 2]) {
    let (sending, hearing) = (client(send), client(hear));
    let (mut sender, mut hearer) = (Host::ready(&sending, &[]), Host::ready(&hearing, &[]));
    for number in 0..16 {
        sender.play(scramble(number) >> (64 - bits));
        hearer.play(0);
    }
    let (began, mut wrong) = (Instant::now(), 0);
    for number in 0..ROUNDS {
        let sent = scramble(number) >> (64 - bits);
        sender.play(sent).unwrap();
        let heard = hearer.play(0).unwrap().min(u64::MAX >> (64 - bits));
        wrong += (sent ^ heard).count_ones();
    }
    let seconds = began.elapsed().as_secs_f64();
    let all = f64::from(bits) * ROUNDS as f64;
    let errors = f64::from(wrong) / all;
    println!(
        "{what:16} {bits:2} bits a turn, {:6.1} us a turn, {:5.2} % wrong: {:9.0} bits a second",
        seconds * 1e6 / ROUNDS as f64,
        errors * 100.0,
        all * arrives(errors.min(0.5)) / seconds
    );
    assert_eq!((sender.end().code, hearer.end().code), (Some(0), Some(0)), "nobody was stopped");
}

#[test]
#[ignore = "a measurement: taskset -c 0 cargo test --release -p agon-host covert:: -- --ignored --nocapture"]
fn what_two_clients_can_still_tell_each_other() {
    if has_compiler() {
        measure("cache", 64, ["send_by_cache(turn->number)", "hear_by_cache()"]);
        measure("thread numbers", 4, ["send_by_threads(turn->number)", "hear_by_threads()"]);
        // Nobody sends: what is heard then is chance.
        measure("silence", 64, ["0", "hear_by_cache()"]);
    }
}

/// The first files of the system's libraries, by name.
fn files_of_the_system() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/usr/lib/x86_64-linux-gnu").into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<_> = files.map(|entry| entry.path()).collect();
    files.sort();
    files.truncate(64);
    files
}

#[test]
#[ignore = "a measurement, as root: cargo test --release -p agon-host covert:: later -- --ignored --nocapture"]
fn how_much_a_later_match_can_learn_by_times_of_access() {
    if !has_compiler() {
        return;
    }
    // The kernel keeps a time of access that is newer than the last change and younger than a day.
    let old = SystemTime::now() - Duration::from_secs(200_000);
    for file in files_of_the_system() {
        File::open(file).unwrap().set_times(FileTimes::new().set_accessed(old)).unwrap();
    }
    let names: Vec<_> = files_of_the_system().iter().map(|file| format!("\"{}\"", file.display())).collect();
    let client = |play: &str| client_with(play, &[&format!("FILES={}", names.join(","))]);
    let (sent, quiet) = (scramble(7), Host::ready(&client("hear_by_access()"), &[]).play(0).unwrap());
    let mut sender = Host::ready(&client("send_by_access(turn->number)"), &[]);
    sender.play(sent).unwrap();
    assert_eq!(sender.end().code, Some(0), "nobody was stopped");
    let heard = Host::ready(&client("hear_by_access()"), &[]).play(0).unwrap();
    println!(
        "before: {quiet:016x}, sent: {sent:016x}, heard: {heard:016x}, {} of 64 bits wrong",
        (sent ^ heard).count_ones()
    );
    assert!((sent ^ heard).count_ones() < 8, "a channel that is documented");
}
