//! 6 qui prend! by determinised Monte-Carlo: what cannot be seen is dealt again and again as it is likely to be, and
//! every card is played out on the same deals, many games at once. How and how well: docs/notebook/six-best.md. Options:
//! `options.rs`.

#[cfg_attr(not(target_arch = "x86_64"), path = "no_avx2.rs")]
mod avx2;
pub mod belief;
pub mod chance;
pub mod deal;
pub mod lanes;
pub mod options;
pub mod path;
pub mod plan;
pub mod player;
pub mod scalar;
pub mod search;
pub mod skill;
pub mod style;
pub mod table;
pub mod value;
pub mod vector;
mod weights;

use agon_client_api::six_qui_prend::{Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, Mistakes, cpu_us, export_client, log};
use options::Settings;
use player::{Game, Player};
use search::{Allowance, Candidate};

/// The client of a match.
pub struct SixBest {
    settings: Settings,
    player: Player,
    mistakes: Mistakes,
    hand_size: u8,
    limit: u16,
}

impl Client for SixBest {
    type Game = SixQuiPrend;
    const NAME: &'static str = "six-best";

    fn name(&self) -> &str {
        self.settings.name()
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let settings = Settings::read(setup.options)?;
        let facts = setup.facts;
        let game = Game {
            seats: facts.players.into(),
            seat: facts.head.seat as usize,
            deck_max: facts.deck_max,
            rules: facts.rules,
            limit: facts.limit,
            seed: facts.head.seed,
        };
        Ok(SixBest {
            settings,
            player: Player::new(game, settings),
            mistakes: Mistakes::read(setup.options, settings.mistakes, facts.head.seed)?,
            hand_size: facts.hand_size,
            limit: facts.limit,
        })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let most = turn.facts.total_heads.iter().copied().max().unwrap_or(0);
        let later = plan::calls_left(turn.hand().len(), self.hand_size, self.limit, most);
        let allowance = Allowance {
            samples: self.settings.samples,
            time_us: plan::time_us(&turn.facts.head, later),
            clock: cpu_us,
        };
        // A player that makes mistakes still sees what others play.
        let found = self.player.choose(turn, allowance);
        let best = found.first().map_or(0, |candidate| candidate.choice);
        if turn.pending().is_none()
            && let Some(card) = self.mistakes.choose(turn.hand())
        {
            return lay(card);
        }
        self.report(&found);
        if turn.pending().is_some() { take(best) } else { lay(best) }
    }
}

impl SixBest {
    fn report(&self, found: &[Candidate]) {
        let Some(best) = found.first() else { return };
        log("value", format!("{:.3}", best.value()));
        log("counts", self.settings.objective.name());
        let each: Vec<_> = found.iter().map(|one| format!("{}:{:.3}", one.choice, one.value())).collect();
        log("alternatives", each.join(" "));
        log("samples", found.iter().map(|candidate| candidate.samples).sum::<u64>());
        if self.settings.tells_path {
            log("lanes", self.settings.path.name());
        }
    }
}

export_client!(SixBest);
