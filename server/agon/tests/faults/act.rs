//! A bad client and what must come of it: an otherwise sound client does one thing at one point of its life, once as
//! each user, in both seats, against a sound one.

use crate::builder::{Arena, Event, Seat, Shown, has_program, users};
use std::path::{Path, PathBuf};

/// Where a client can misbehave: the macro of `clients/sound.c`, and the phase that a verdict then names.
const PLACES: [(&str, &str); 5] = [
    ("AT_LOAD", "load"),
    ("AT_INITIALIZE", "initialize"),
    ("AT_NAME", "name"),
    ("AT_PLAY", "play"),
    ("AT_FINALIZE", "finalize"),
];

/// Whether a match came out as expected for this seat, in this phase.
type Verdict<'a> = dyn Fn(&Seat, &str, &Shown) -> bool + Sync + 'a;

/// What a client does, and where.
pub struct Act {
    code: String,
    places: Vec<(&'static str, &'static str)>,
    told_in: Option<&'static str>,
    in_cpp: bool,
    layer: Option<&'static str>,
    without: Option<&'static str>,
    time: &'static str,
    against: &'static str,
    board: &'static str,
}

/// A client that runs this code, in each of its functions and when it is opened.
pub fn client_that(code: &str) -> Act {
    Act {
        code: code.to_owned(),
        places: PLACES.to_vec(),
        told_in: None,
        in_cpp: false,
        layer: None,
        without: None,
        time: "100ms",
        against: "",
        board: "square:5",
    }
}

/// A client whose second answer is this, instead of a legal move.
pub fn client_that_answers(code: &str) -> Act {
    Act { places: vec![("ANSWER", "play")], ..client_that(code) }
}

impl Act {
    /// Only in these phases.
    pub fn only_in(mut self, phases: &[&str]) -> Act {
        self.places.retain(|place| phases.contains(&place.1));
        self
    }

    /// The verdict names this phase, wherever it was done.
    pub fn told_in(mut self, phase: &'static str) -> Act {
        self.told_in = Some(phase);
        self
    }

    /// Compiled as C++.
    pub fn in_cpp(mut self) -> Act {
        self.in_cpp = true;
        self
    }

    /// Without this layer of the sandbox the verdict is another one, or none.
    pub fn thanks_to(mut self, layer: &'static str) -> Act {
        self.layer = Some(layer);
        self
    }

    /// The same where the tests are run by root; anybody else never could.
    pub fn thanks_to_for_root(mut self, layer: &'static str) -> Act {
        self.layer = rustix::process::geteuid().is_root().then_some(layer);
        self
    }

    /// With this layer left out, in any case.
    pub fn without(mut self, layer: &'static str) -> Act {
        self.without = Some(layer);
        self
    }

    /// With this time for every call.
    pub fn within(mut self, time: &'static str) -> Act {
        self.time = time;
        self
    }

    /// The opponent does this in every call of `play`.
    pub fn against(mut self, code: &'static str) -> Act {
        self.against = code;
        self
    }

    /// On another board.
    pub fn on(mut self, board: &'static str) -> Act {
        self.board = board;
        self
    }

    /// It loses by this fault, told in these words; in `finalize`, when the result stands, the same is a notice.
    pub fn loses_by(self, kind: &str, words: &[&str]) {
        self.each_place(&|seat, phase, shown| match phase {
            "finalize" => went_well(seat, shown) && has(&seat.notices, "finalize", phase, words),
            _ => lost(seat, shown) && has(seat.fault.as_slice(), kind, phase, words),
        });
    }

    /// The match goes on to its end, with this notice.
    pub fn gets(self, kind: &str, words: &[&str]) {
        self.each_place(&|seat, phase, shown| went_well(seat, shown) && has(&seat.notices, kind, phase, words));
    }

    /// The same, whatever phase is named: the server looks for this now and then.
    pub fn gets_somewhere(self, kind: &str, words: &[&str]) {
        self.each_place(&|seat, _, shown| {
            let mut phases = seat.notices.iter().map(|notice| notice.phase.as_str());
            went_well(seat, shown) && phases.any(|phase| has(&seat.notices, kind, phase, words))
        });
    }

    /// The match goes on to its end, and there is nothing to tell of this client.
    pub fn goes_well(self) {
        let says_nothing = |seat: &Seat| seat.notices.iter().all(|notice| notice.kind == "missing-layer");
        self.each_place(&|seat, _, shown| went_well(seat, shown) && says_nothing(seat));
    }

    fn each_place(&self, holds: &Verdict) {
        if !has_program(if self.in_cpp { "c++" } else { "cc" }) {
            return;
        }
        let workshop = Arena::new();
        let good = self.build(&workshop, "good", &[&format!("-DAT_EVERY_PLAY={}", self.against)]);
        std::thread::scope(|scope| {
            for &place in &self.places {
                let good = &good;
                scope.spawn(move || self.check_place(place, good, holds));
            }
        });
    }

    fn check_place(&self, (macro_name, phase): (&str, &'static str), good: &Path, holds: &Verdict) {
        let told_in = if phase == "finalize" { phase } else { self.told_in.unwrap_or(phase) };
        let workshop = Arena::new();
        let act = format!("-D{macro_name}={}", self.code);
        let check = |shown: &[Shown], expected: bool| {
            assert_eq!(shown.len(), 2, "a match from each seat");
            for shown in shown {
                let held = holds(shown.seat_of("bad"), told_in, shown);
                let (ending, events) = (shown.ending(), &shown.json["events"]);
                assert!(held == expected, "{} {macro_name}: {ending}, {events:#}", self.code);
            }
        };
        let bad = self.build(&workshop, "bad", &[&act]);
        for user in users() {
            check(&self.play(&[&bad, good], user, self.without.as_slice()), true);
        }
        if let Some(layer) = self.layer {
            let bad = self.build(&workshop, "bad", &[&act, "-DGENTLE"]);
            let without: Vec<_> = self.without.into_iter().chain([layer]).collect();
            let shown = self.play(&[&bad, good], None, &without);
            assert!(
                shown.iter().all(|shown| lacks(shown.seat_of("bad"), layer)),
                "the record does not say that {layer} is missing"
            );
            check(&shown, false);
        }
    }

    /// Compiles `clients/sound.c` with these flags into the arena's clients.
    pub fn build(&self, arena: &Arena, name: &str, flags: &[&str]) -> PathBuf {
        let clients = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/tests/clients");
        let (source, flags) = ("#include \"sound.c\"\n", [&["-w", clients], flags].concat());
        let built = match self.in_cpp {
            true => arena.cpp_client(name, source, &flags),
            false => arena.c_client_with(name, source, &flags),
        };
        built.unwrap()
    }

    /// Plays both seats as a ladder in an arena of its own, and sees to it that nothing is left behind.
    fn play(&self, clients: &[&Path], user: Option<u32>, without: &[&str]) -> Vec<Shown> {
        let arena = Arena::new().as_user(user);
        for client in clients {
            arena.add(client);
        }
        arena.ladder_toml(&format!(
            "[ladder]\nname = 'faults'\ngame = 'amazons'\nclients = []\nseed = 1\n[options]\nboard = '{}'\n\
             [time]\nper_move = '{time}'\nload = '{time}'\ninitialize = '{time}'\nfinalize = '{time}'\n\
             [limits]\nmemory = '32MiB'\n[run]\nwithout = {without:?}\n\
             [[client]]\nfile = 'clients/bad.so'\n[[client]]\nfile = 'clients/good.so'\n",
            self.board,
            time = self.time
        ));
        let before = arena.traces();
        arena.agon(["ladder", "--quiet"]).well();
        let shown = arena.all_shown();
        arena.traces().nothing_beyond(&before);
        shown
    }
}

fn lost(seat: &Seat, shown: &Shown) -> bool {
    shown.ending() == "fault" && seat.rank == 2 && shown.seat_of("good").rank == 1
}

fn went_well(seat: &Seat, shown: &Shown) -> bool {
    shown.ending() == "over" && seat.fault.is_none() && shown.seat_of("good").fault.is_none()
}

/// The record says that this layer did not hold, so that what it would show cannot be told.
fn lacks(seat: &Seat, layer: &str) -> bool {
    !seat.layers.iter().any(|held| held == layer)
        && seat.notices.iter().any(|notice| notice.kind == "missing-layer" && notice.message.contains(layer))
}

/// Exactly one such event, with all these words.
fn has(events: &[Event], kind: &str, phase: &str, words: &[&str]) -> bool {
    let of_kind: Vec<&Event> = events.iter().filter(|event| event.kind == kind).collect();
    let [event] = of_kind[..] else { return false };
    event.phase == phase && words.iter().all(|word| event.message.contains(word))
}
