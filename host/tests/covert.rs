//! How many bits a second two clients of one match can still send each other, turn by turn, on one core and with every
//! layer of the sandbox.
#![cfg(target_arch = "x86_64")] // the clients read its counter of cycles
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod rig;

use rig::{Built, Host, build_with, has_compiler};
use std::time::Instant;

const ROUNDS: u64 = 2_000;

fn client(play: &str) -> Built {
    let functions = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/covert.h");
    build_with(&[&format!("PLAY=move->number = {play}")], &["-O2", "-shared", "-include", functions])
}

/// Numbers without a pattern.
fn scramble(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 31)
}

/// Of a bit that arrives wrong so often, how much arrives.
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
#[ignore = "a measurement: taskset -c 0 cargo test --release -p agon-host --test covert -- --ignored --nocapture"]
fn what_two_clients_can_still_tell_each_other() {
    if has_compiler() {
        measure("cache", 64, ["send_by_cache(turn->number)", "hear_by_cache()"]);
        measure("thread numbers", 4, ["send_by_threads(turn->number)", "hear_by_threads()"]);
        // Nobody sends: what is heard then is chance.
        measure("silence", 64, ["0", "hear_by_cache()"]);
    }
}
