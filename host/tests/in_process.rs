//! Clients called in the caller's own process: the same code without a pipe.

use crate::rig::{build, expected, has_compiler, setup, turn};
use agon_abi::{NameFlaw, OpenStatus};
use agon_host::Client;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn two_clients_do_not_disturb_each_other() {
    if !has_compiler() {
        return;
    }
    let add = "PLAY=move->number = setup->values[0] += turn->number; tell(\"sum\", move->number)";
    let files = [build(&[add]), build(&[add, "NAME=\"Other\""])];
    let mut clients = [0, 1].map(|at: usize| Client::open(&files[at].0, &expected()).unwrap());
    for client in &mut clients {
        assert_eq!(client.initialize(&setup()).unwrap(), 0);
    }
    let mut play = |at: usize, number: u64| {
        let mv = clients[at].play(&turn(number)).unwrap();
        (agon_abi::read::<u64>(&mv).unwrap(), clients[at].take_log())
    };
    let line = |sum: &str| vec![("sum".to_owned(), sum.to_owned())];
    assert_eq!(play(0, 1), (11, line("11")));
    assert_eq!(play(1, 5), (15, line("15")));
    assert_eq!(play(0, 1), (12, line("12")));
    assert_eq!(clients[1].name().bytes, b"Other");
    assert_eq!(clients[0].name().flaw, NameFlaw::None);
    assert_eq!(clients[0].move_size(), 8);
    clients.iter_mut().for_each(Client::finalize);
}

#[test]
fn a_client_can_be_used_from_another_thread() {
    if !has_compiler() {
        return;
    }
    let file = build(&["PLAY=move->number = setup->head.services->cpu_us() < 1000000; tell(\"used\", 1)"]);
    let mut client = Client::open(&file.0, &expected()).unwrap();
    client.initialize(&setup()).unwrap();
    let worker = std::thread::spawn(move || (client.play(&turn(0)).unwrap()[0], client.take_log().len()));
    assert_eq!(worker.join().unwrap(), (1, 1));
}

/// Other threads play other matches meanwhile.
#[test]
fn the_time_of_other_threads_is_not_that_of_a_client() {
    if !has_compiler() {
        return;
    }
    let used = "setup->head.services->cpu_us()";
    let file = build(&[&format!("PLAY={used}; usleep(200000); move->number = {used}")]);
    let mut client = Client::open(&file.0, &expected()).unwrap();
    client.initialize(&setup()).unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let others = [0, 1].map(|_| {
        let is_over = Arc::clone(&is_over);
        std::thread::spawn(move || while !is_over.load(Ordering::Relaxed) {})
    });
    for _ in 0..2 {
        let told: u64 = agon_abi::read(&client.play(&turn(0)).unwrap()).unwrap();
        assert!(told < 20_000 && client.spent_us() < 20_000, "{told} and {} us", client.spent_us());
        assert!(client.passed_us() >= 200_000);
    }
    is_over.store(true, Ordering::Relaxed);
    others.into_iter().for_each(|other| other.join().unwrap());
}

#[test]
fn trouble_has_its_words() {
    if !has_compiler() {
        return;
    }
    let refused = |macros: &[&str]| Client::open(&build(macros).0, &expected()).err().unwrap();
    assert_eq!(refused(&["SYMBOL=other", "MARKER"]).opened, OpenStatus::NoMacro);
    let other = refused(&["SHIFT=8"]);
    assert_eq!(other.opened, OpenStatus::OtherLayout);
    assert!(other.to_string().starts_with("echo_setup.values is at byte 144 in your client and at byte 136 here"));
    let none = Client::open("/nowhere/x.so".as_ref(), &expected()).err().unwrap();
    assert!(none.opened == OpenStatus::NotLoadable && none.text.contains("/nowhere/x.so"));
    let mut client = Client::open(&build(&[]).0, &expected()).unwrap();
    assert!(client.initialize(&agon_abi::Blob::new()).is_err());
    let mut broken = turn(0);
    broken.link(8, 1 << 20);
    assert!(client.play(&broken).is_err());
}
