//! Clients in Rust called in this process through their descriptor, as the contract says: what is unsafe at the border,
//! where Miri can run it (`tools/nightly`), which opens no library. Every game, from the bytes of its own rules.
#![expect(unsafe_code)]

use crate::contract::loaded::{cpu_us, data, text};
use agon_abi::{ABI_VERSION, Blob, Descriptor, Pod, Services, SetupHead, TurnHead, read, relocate};
use agon_client_api::export::descriptor;
use agon_client_api::{Client, Declined, Playable};
use agon_games::{GAMES, Opening};
use std::ffi::c_char;
use std::marker::PhantomData;
use std::mem::offset_of;
use std::sync::Mutex;

static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());
static SERVICES: Services = Services { size: size_of::<Services>() as u64, cpu_us, log, data };

extern "C" fn log(key: *const c_char, value: *const c_char) {
    LOGGED.lock().unwrap().push(format!("{}={}", text(key), text(value)));
}

/// Plays a move of zeroes, which no rule judges here.
struct Zeroes<G>(Vec<u8>, PhantomData<G>);

impl<G: Playable> Client for Zeroes<G>
where
    G::Move: Pod,
    for<'a> G::Setup<'a>: std::fmt::Debug,
    for<'a> G::Turn<'a>: std::fmt::Debug,
{
    type Game = G;
    const NAME: &'static str = "zeroes";

    fn new(setup: &G::Setup<'_>) -> Result<Self, Declined> {
        agon_client_api::log("setup", format!("{setup:?}").len());
        Ok(Zeroes(vec![1; 100], PhantomData))
    }

    fn play(&mut self, turn: &G::Turn<'_>) -> G::Move {
        // Reads all that the views lead to.
        self.0.push(format!("{turn:?}").len() as u8);
        assert_eq!(agon_client_api::data("four"), Some(&[1, 2, 3, 4][..]));
        assert_eq!(agon_client_api::data("five"), None);
        agon_client_api::log("cpu", agon_client_api::cpu_us());
        read(&[0; 256]).unwrap()
    }
}

fn placed(blob: &Blob) -> Vec<u64> {
    let mut words: Vec<u64> = blob.bytes().chunks(8).map(|word| read(word).unwrap()).collect();
    relocate(&mut words, blob.links()).unwrap();
    words
}

/// One match after the other, the second begun before the first has ended; then a name without a match.
fn plays<G: Playable>()
where
    Zeroes<G>: Client,
{
    let border: Descriptor = descriptor::<Zeroes<G>>(&[]);
    let game = GAMES.iter().find(|game| game.facts().name.as_bytes() == G::NAME.to_bytes()).unwrap();
    let setting = game.prepare(&game.facts().small_options()[0], game.facts().seats.0).unwrap();
    let state = setting.start(&Opening::ANY);
    for _ in 0..2 {
        let mut blob = Blob::new();
        state.setup(0, &mut blob);
        let mut head: SetupHead = read(blob.bytes()).unwrap();
        (head.size, head.abi, head.seats) = (border.setup_size, ABI_VERSION, 2);
        head.services.word = (&raw const SERVICES).expose_provenance() as u64;
        blob.put(0, &head);
        let given = blob.push_text("note=13");
        blob.link(offset_of!(SetupHead, options), given);
        let mut setup = placed(&blob);
        let mut blob = Blob::new();
        state.turn(0, &mut blob);
        let head: TurnHead = read(blob.bytes()).unwrap();
        blob.put(0, &head);
        let turn = placed(&blob);
        let mut mv = vec![1u8; border.move_size as usize + 1];
        // SAFETY: setup, turn and room for a move of this game, not aligned, in the order of the contract.
        unsafe {
            assert_eq!(border.initialize.unwrap()(setup.as_mut_ptr().cast()), 0);
            border.play.unwrap()(turn.as_ptr().cast(), mv[1..].as_mut_ptr().cast());
        }
        assert_eq!((mv[0], mv[1]), (1, 0));
    }
    // SAFETY: as above.
    unsafe {
        border.finalize.unwrap()();
        assert_eq!(text(border.name.unwrap()()), "zeroes");
        border.finalize.unwrap()();
    }
    assert_eq!(LOGGED.lock().unwrap().drain(..).filter(|line| line == "cpu=7").count(), 2);
}

#[test]
fn the_border_of_every_game_keeps_to_its_memory() {
    plays::<agon_client_api::amazons::Amazons>();
    plays::<agon_client_api::six_qui_prend::SixQuiPrend>();
    plays::<agon_client_api::mastermind::Mastermind>();
    plays::<agon_client_api::grundy::Grundy>();
    plays::<agon_client_api::tirs_croises::TirsCroises>();
}
