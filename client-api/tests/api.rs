//! This file uses all public items of the crate by name and type, as authors of clients in Rust do. A renamed item or
//! another type does not compile: later versions keep them, and only add.

#![allow(clippy::type_complexity)] // a type in full is what stays

use agon_client_api::amazons::{self, Amazons, AmazonsMove, AmazonsSetup, AmazonsTurn, Board, FAR, Graph, Step, Terms};
use agon_client_api::chance::{Rng, below, rng, shuffle, splitmix64};
use agon_client_api::grundy::{self, BadTable, Grundy, NimberTable, nimbers};
use agon_client_api::layout::{self, Checked, Difference, compare};
use agon_client_api::mastermind::{self, Asked, Code, Codes, Mastermind, Order, Reply, Try};
use agon_client_api::rules::{Position, position};
use agon_client_api::six_qui_prend::{self, SixQuiPrend};
use agon_client_api::tirs_croises::{self, TirsCroises};
use agon_client_api::{
    Client, Clock, Declined, Mistakes, Options, Playable, Rules, SetupHead, TurnHead, cpu_us, data, log,
};
use std::ffi::CStr;
use std::fmt::{Debug, Display};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

/// Declares a client of each game, with all functions of the trait and the types of their arguments.
macro_rules! clients {
    ($($client:ident $game:ty, $setup:ty, $turn:ty, $mv:ty;)*) => { $(
        struct $client;
        impl Client for $client {
            type Game = $game;
            const NAME: &'static str = "all";
            fn name(&self) -> &str {
                "all of it"
            }
            fn new(setup: &$setup) -> Result<Self, Declined> {
                let options: Options<'_> = setup.options;
                options.number("no", 0..=1).map(|_| $client)
            }
            fn play(&mut self, _: &$turn) -> $mv {
                unreachable!()
            }
            fn finish(self) {}
        }
        const _: (&CStr, $client) = (<$game as Playable>::NAME, $client);
    )* };
}

clients! {
    OfAmazons Amazons, amazons::Setup<'_>, amazons::Turn<'_>, AmazonsMove;
    OfSix SixQuiPrend, six_qui_prend::Setup<'_>, six_qui_prend::Turn<'_>, six_qui_prend::Move;
    OfMastermind Mastermind, mastermind::Setup<'_>, mastermind::Turn<'_>, mastermind::Move;
    OfGrundy Grundy, grundy::Setup<'_>, grundy::Turn<'_>, grundy::Move;
    OfTirs TirsCroises, tirs_croises::Setup<'_>, tirs_croises::Turn<'_>, tirs_croises::Move;
}

/// A client with the least that the trait asks for.
struct Least;
impl Client for Least {
    type Game = Amazons;
    const NAME: &'static str = "least";
    fn new(_: &amazons::Setup) -> Result<Self, Declined> {
        Err("never".into())
    }
    fn play(&mut self, _: &amazons::Turn) -> AmazonsMove {
        AmazonsMove::NONE
    }
}
agon_client_api::export_client!(Least);

/// Whether a type has the traits that authors may rely on.
fn is_a_value<T: Copy + Debug>() {}
fn is_compared<T: Clone + Debug + PartialEq + Eq>() {}

#[test]
fn what_all_clients_use_stays() {
    let _: fn() -> u64 = cpu_us;
    let _: fn(&str, &'static str) = log;
    let _: fn(&str, i64) = log;
    let _: fn(&str) -> Option<&'static [u8]> = data;
    let _: fn(&Options<'static>, &str) -> Option<&'static str> = Options::get;
    let _: fn(&Options<'static>, &str, RangeInclusive<u64>) -> Result<Option<u64>, Declined> = Options::number;
    let _: fn(&Options<'static>, u32) -> Result<u32, Declined> = Options::threads;
    let _: fn(Options, u64, u64) -> Result<Mistakes, Declined> = Mistakes::read;
    let _: fn(&mut Mistakes) -> Option<&mut Rng> = Mistakes::this_turn;
    let _: fn(&mut Mistakes, &[u8]) -> Option<u8> = Mistakes::choose;
    let _: fn(&SetupHead) -> Option<u64> = SetupHead::period;
    let _: fn(&TurnHead) -> Option<u64> = TurnHead::moves_left;
    let _: [Declined; 2] = [Declined("text".to_owned()), Declined::from("text")];
    let _: Options<'_> = Options("text");
    assert_eq!((Clock::Cpu as u32, Clock::Wall as u32), (0, 1));
    let _: fn(&Path, &str) -> Result<Checked, Difference> = compare;
    let (_, _): (&str, [Checked; 2]) = (layout::SYMBOL, [Checked::Same, Checked::NotExported]);
    let Difference(text) = Difference(String::new());
    let _: String = text;
    is_a_value::<Options<'_>>();
    is_a_value::<SetupHead>();
    is_compared::<Declined>();
}

#[test]
fn draws_never_change() {
    let _: fn(u64) -> Rng = rng;
    let _: fn(&mut Rng, u64) -> u64 = below;
    let _: fn(&mut Rng, &mut [u8]) = shuffle;
    let mut seven = rng(7);
    let mut items = [0, 1, 2, 3, 4, 5];
    shuffle(&mut seven, &mut items);
    assert_eq!(
        (items, below(&mut seven, 1_000_000), splitmix64(7)),
        ([1, 5, 3, 0, 2, 4], 336_663, 14_232_521_865_600_346_940)
    );
}

#[test]
fn what_clients_of_amazons_use_stays() {
    let _ = |setup: &amazons::Setup<'static>, turn: &amazons::Turn<'static>| {
        let amazons::Setup { head, options, graph, side, columns, rows, .. } = *setup;
        let _: (&'static SetupHead, Options<'static>, Graph<'static>, [usize; 3]) =
            (head, options, graph, [side, columns, rows]);
        let _: (usize, usize, bool) = (graph.num_vertices, graph.side_to_move, graph.vacated_is_free);
        let _: (&[u32], &[u32], &[u8]) = (graph.row_start, graph.targets, graph.directions);
        let _: ([&[u32]; 2], &[u32]) = (graph.queens, graph.blocked);
        let _: (&'static TurnHead, AmazonsMove) = (turn.head, turn.previous);
    };
    let _: fn(&amazons::Setup) -> Board = Board::new;
    let _: fn(&Board) -> usize = Board::num_vertices;
    let _: fn(&Board, usize) -> &[u32] = Board::queens;
    let _: fn(&Board, u32) -> bool = Board::is_occupied;
    let _: [fn(&mut Board, usize, AmazonsMove); 3] = [Board::play, Board::play_if_any, Board::undo];
    let _: fn(&Board, usize, Step) -> Vec<u32> = Board::distances;
    let _: fn(&Board, usize) -> Terms = Board::measure;
    let _: fn(&Board, usize) -> i32 = Board::evaluate;
    let _: fn(&Terms) -> i32 = Terms::value;
    let _ = |board: &Board| {
        let _: [Option<u32>; 2] = [board.slides(0).next(), board.arrows(0, 1).next()];
        let _: [Option<AmazonsMove>; 2] = [board.moves_of(0).next(), board.moves(0).next()];
        let _: amazons::Slides<'_> = board.slides(0);
    };
    let _ = |terms: Terms| -> [i32; 8] {
        let Terms { closer1, tied1, closer2, tied2, near1, near2, contested, reached, .. } = terms;
        [closer1, tied1, closer2, tied2, near1, near2, contested, reached]
    };
    let AmazonsMove { queen_src, queen_dst, arrow_dst } = AmazonsMove::NONE;
    assert_eq!([queen_src, queen_dst, arrow_dst, FAR], [u32::MAX; 4]);
    let _: [Step; 2] = [Step::Queen, Step::King];
    is_a_value::<AmazonsSetup>();
    is_a_value::<AmazonsTurn>();
    is_compared::<Board>();
}

#[test]
fn the_rules_for_clients_stay() {
    let _: fn(&amazons::Setup) -> Result<Position, Declined> = position;
    let _ = |mut state: Position, rng: &mut Rng, mv: AmazonsMove| {
        let _: (bool, bool, usize) = (state.to_move().is_empty(), state.to_move().has(0), state.to_move().count());
        let _: Option<usize> = state.to_move().iter().next();
        let _: Result<(), (&'static str, String)> = state.check(0, mv).map_err(|illegal| (illegal.rule, illegal.why));
        state.legal(0, &mut |mv: AmazonsMove| {
            if mv == AmazonsMove::NONE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let _: AmazonsMove = state.sample(0, rng);
        state.play(&[(0, mv)]);
        let (values, higher_wins): (Vec<i64>, bool) = (state.scores().values, state.scores().higher_wins);
        let _: (String, Option<AmazonsMove>, u64) = (state.write(mv), state.read("a1"), state.hash());
        let _: [Position; 2] = [state.redeal(0, rng), state.as_start()];
        (values, higher_wins)
    };
}

#[test]
fn what_clients_of_mastermind_use_stays() {
    let _: fn(&mastermind::Setup<'static>) -> Codes = mastermind::Setup::codes;
    let _: fn(&mastermind::Turn<'static>) -> Asked = mastermind::Turn::asked;
    let _ = |setup: &mastermind::Setup<'static>, turn: &mastermind::Turn<'static>| {
        let _: (&'static SetupHead, [u8; 5]) = {
            let facts = setup.facts;
            (&facts.head, [facts.pegs, facts.values, facts.tries, facts.role, facts.maker])
        };
        let _: (&TurnHead, u8, &'static [Try]) = (&turn.facts.head, turn.facts.kind, turn.history);
    };
    let _: [fn(Code) -> Asked; 3] = [|_| Asked::Guess, |_| Asked::Secret, Asked::Reply];
    let _: fn(u8, u8) -> Codes = Codes::new;
    let _: [fn(Codes) -> usize; 2] = [Codes::pegs, Codes::values];
    let _: fn(Codes) -> u64 = Codes::count;
    let _: fn(Codes, u64) -> Code = Codes::at;
    let _: fn(Codes, &Code) -> u64 = Codes::number;
    let _: fn(Codes, &mut Rng) -> Code = Codes::draw;
    let _: fn(Codes, &Code, &mut Rng) -> Code = Codes::draw_other;
    let _: fn(Codes, &Code, &Code) -> Reply = Codes::reply;
    let _: Option<Code> = Codes::new(2, 2).iter().next();
    let _: [fn(&Code, u8) -> mastermind::Move; 1] = [mastermind::Move::code];
    let _: fn(Reply) -> mastermind::Move = mastermind::Move::reply;
    let _: fn(&Code, Reply) -> Try = Try::new;
    let _: fn(&Try) -> Reply = Try::reply;
    let _: Reply = Reply { rr: 1, rw: 2 };
    let _: fn() -> Order = Order::lexicographic;
    let _: fn(Codes, &mut Rng) -> Order = Order::random;
    let _: fn(Codes, &[Try], &Code) -> bool = mastermind::agrees;
    let _: fn(Codes, &[Try], &mut Rng) -> Option<Code> = mastermind::draw;
    let _: fn(Codes, &[Try], &Order, u32) -> Option<Code> = mastermind::search_one;
    let mut found = 0;
    let mut each = |_: &Code| {
        found += 1;
        ControlFlow::Continue(())
    };
    let _ = mastermind::search(Codes::new(2, 2), &[], &Order::lexicographic(), 9, &mut each);
    assert_eq!(found, 4);
    use mastermind::{ADAPTIVE, ASKS_GUESS, ASKS_REPLY, ASKS_SECRET, BREAKER, CLIENT, MAKER, SERVER};
    assert_eq!([BREAKER, MAKER, SERVER, CLIENT, ADAPTIVE], [0, 1, 0, 1, 2]);
    assert_eq!([ASKS_GUESS, ASKS_SECRET, ASKS_REPLY], [0, 1, 2]);
    assert_eq!([mastermind::MAX_PEGS, mastermind::MAX_VALUES], [12_usize, 20]);
    let _: Code = [0_u8; 12];
}

#[test]
fn what_clients_of_six_qui_prend_use_stays() {
    use six_qui_prend::{APPENDED, ASKS_CARD, ASKS_ROW, CHEAPEST, CHEAPEST_ROW, CHOOSES};
    use six_qui_prend::{COURSE, COURSE_EXACT, Event, OFFICIAL, SIXTH, TOO_LOW};
    let _: fn(&six_qui_prend::Turn<'static>) -> &'static [u8] = six_qui_prend::Turn::hand;
    let _: fn(&six_qui_prend::Turn<'static>, usize) -> &'static [u8] = six_qui_prend::Turn::row;
    let _: fn(&six_qui_prend::Turn<'static>) -> Option<u8> = six_qui_prend::Turn::pending;
    let _: [fn(u8) -> six_qui_prend::Move; 2] = [six_qui_prend::lay, six_qui_prend::take];
    let _ = |setup: &six_qui_prend::Setup<'static>, turn: &six_qui_prend::Turn<'static>| {
        let _: (&SetupHead, u8, &TurnHead, u16) =
            (&setup.facts.head, setup.facts.players, &turn.facts.head, turn.facts.round);
        let _: &'static [Event] = turn.events;
    };
    assert_eq!([OFFICIAL, COURSE, COURSE_EXACT, CHOOSES, CHEAPEST], [0, 1, 2, 0, 1]);
    assert_eq!([ASKS_CARD, ASKS_ROW, APPENDED, SIXTH, TOO_LOW, CHEAPEST_ROW], [0, 1, 0, 1, 2, 0xFF]);
}

#[test]
fn what_clients_of_grundy_and_tirs_croises_use_stays() {
    let _: fn(&grundy::Setup<'static>) -> bool = grundy::Setup::misere;
    let _: [fn(&grundy::Setup<'static>) -> Option<u64>; 2] = [grundy::Setup::until, grundy::Setup::most_moves];
    let _ = |setup: &grundy::Setup<'static>, turn: &grundy::Turn<'static>| {
        let _: (&SetupHead, &TurnHead, grundy::Move) = (&setup.facts.head, &turn.facts.head, turn.facts.last);
        let _: [&'static [u32]; 2] = [setup.heaps, turn.heaps];
    };
    let _: fn(usize) -> Vec<u16> = nimbers;
    let _: fn(&'static [u8]) -> Result<NimberTable<'static>, BadTable> = NimberTable::open;
    let _: fn(&NimberTable<'static>) -> u32 = NimberTable::most;
    let _: fn(&mut NimberTable<'static>, u32) -> Result<u16, BadTable> = NimberTable::nimber;
    let _: fn(&mut NimberTable<'static>, u32, u16, u32) -> Result<Option<u32>, BadTable> = NimberTable::find_split;
    let _ = |table: &mut NimberTable<'static>| -> Option<Option<u16>> { table.all().ok().map(|mut all| all.next()) };
    let _: &dyn Fn(&BadTable) -> &dyn Display = &|bad| bad;
    let _: fn(&tirs_croises::Turn<'static>) -> Option<tirs_croises::Move> = tirs_croises::Turn::cursor;
    let _: fn(&tirs_croises::Turn<'static>, tirs_croises::Move) -> u8 = tirs_croises::Turn::value;
    let _: fn(&tirs_croises::Turn<'static>) -> &'static [tirs_croises::Event] = tirs_croises::Turn::events;
    let _ = |setup: &tirs_croises::Setup<'static>, turn: &tirs_croises::Turn<'static>| {
        let _: (&SetupHead, u8, &TurnHead, u16) =
            (&setup.facts.head, setup.facts.size, &turn.facts.head, turn.facts.num_legal);
    };
    assert_eq!([tirs_croises::CURSOR, tirs_croises::ANYWHERE], [0_u8, 1]);
}
