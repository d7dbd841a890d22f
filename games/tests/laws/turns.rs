//! The law of turns: all cyclic orders that belong together, each in all its rotations, cancel what it is worth to move
//! after somebody, so that two equal players come out equal beside one of another strength.

use super::fair::share;
use super::walk::{Verdict, hold, legal, random_answers};
use agon_games::{
    AnyGame, AnyState, Opening, Options, PreparedSetting, Rng, Scores, Seat, cyclic_orders, rng_from, seed_of,
};

/// Matches played of each setting, about.
const MATCHES: usize = 2_400;

/// Two players who move at random score the same within four standard errors over sets of blocks, beside others of whom
/// one is greedy.
pub fn sets_of_orders_cancel_what_a_predecessor_is_worth(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    for options in std::iter::once(Options::default()).chain(facts.small_options()) {
        let counts = (facts.seats.0..=facts.seats.1).filter(|seats| facts.has_turn_order(*seats));
        for setting in counts.filter_map(|seats| game.prepare(&options, seats).ok()) {
            let (mean, error) = lead_of_first(&*setting, &cyclic_orders(setting.seats()));
            let name = || format!("{} with {} seats, {options:?}", facts.name, setting.seats());
            hold(mean.abs() <= 4.0 * error, || format!("{}: {mean:.4} +- {error:.4} between equal players", name()))?;
        }
    }
    Ok(())
}

/// By how much the share of opponents beaten of place 0 is above that of place 1, over sets of blocks with these cyclic
/// orders of places, and its standard error. The last place is greedy.
pub fn lead_of_first(setting: &dyn PreparedSetting, orders: &[Vec<Seat>]) -> (f64, f64) {
    let seats = setting.seats();
    let mut rng = rng_from(&seed_of(78));
    let sets = (MATCHES / (seats * orders.len())).max(20);
    let mut leads = Vec::new();
    for set in 0..sets {
        let mut sum = 0.0;
        for (number, order) in orders.iter().enumerate() {
            for rotation in 0..seats {
                let mut order = order.clone();
                order.rotate_left(rotation);
                let scores = play(setting, (set * orders.len() + number) as u64, &order, &mut rng);
                let share = |place| share(&scores, order.iter().position(|at| *at == place).unwrap(), seats);
                sum += share(0) - share(1);
            }
        }
        leads.push(sum / (seats * orders.len()) as f64);
    }
    let mean = leads.iter().sum::<f64>() / sets as f64;
    let variance = leads.iter().map(|lead| (lead - mean).powi(2)).sum::<f64>() / (sets - 1) as f64;
    (mean, (variance / sets as f64).sqrt())
}

fn play(setting: &dyn PreparedSetting, number: u64, order: &[Seat], rng: &mut Rng) -> Scores {
    let mut state = setting.start(&Opening::numbered(number));
    while !state.to_move().is_empty() {
        let mut answers = random_answers(&*state, rng);
        for (seat, mv) in answers.iter_mut().filter(|(seat, _)| order[*seat] == order.len() - 1) {
            *mv = legal(&*state, *seat).into_iter().max_by_key(|mv| gain(&*state, *seat, mv)).unwrap();
        }
        state.play(&answers);
    }
    state.scores()
}

/// The score of a seat after its move.
fn gain(state: &dyn AnyState, seat: Seat, mv: &agon_games::MoveBytes) -> i64 {
    let mut next = state.clone_box();
    next.play(&[(seat, *mv)]);
    next.scores().values[seat]
}
