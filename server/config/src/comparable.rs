//! What makes results comparable: settings that must not change while results are added to one table.

use super::units::{show_duration, show_size};
use super::{Ladder, Seeding, System};
use agon_games::Facts;
use agon_model::{ClockKind, Points, SandboxMode};

/// What the keys begin with that say who meets whom; the matches themselves do not depend on them.
pub const PAIRING: &str = "ladder.";
/// Says that blocks change who moves after whom. Ladders with more than two seats in turns that do not say so were
/// begun when each line-up kept one cyclic order, and go on so.
pub const TURN_ORDER: &str = "turns.order";
/// How they do it: grows where it changes.
const BALANCED: &str = "balanced 1";
/// Says how long moves may take in time that passes. Ladders that do not say so were begun when that was as long as a
/// client liked, and go on so.
pub const WALL_TIME: &str = "time.wall_factor";

impl Ladder {
    /// Key and text of everything that must stay for results to be compared; clients, points and jobs may change,
    /// points only where no pairing follows from them.
    /// The texts are canonical: the same settings give the same texts.
    pub fn comparable(&self, facts: &Facts) -> Vec<(String, String)> {
        let time = &self.time;
        let budget = |us: Option<u64>| us.map_or("none".to_owned(), show_duration);
        let clock = match time.clock {
            ClockKind::Cpu => "cpu",
            ClockKind::Wall => "wall",
        };
        let mode = match self.sandbox.mode {
            SandboxMode::Auto => "auto",
            SandboxMode::Strict => "strict",
            SandboxMode::Off => "off",
        };
        let list = [
            ("game", format!("{} rules {}", facts.name, facts.rules_version)),
            ("seats", self.seats.to_string()),
            ("time.clock", clock.to_owned()),
            ("time.total", budget(time.total_us)),
            ("time.increment", show_duration(time.increment_us)),
            ("time.per_move", budget(time.per_move_us)),
            ("time.load", show_duration(time.load_us)),
            ("time.initialize", show_duration(time.initialize_us)),
            ("time.finalize", show_duration(time.finalize_us)),
            ("limits.memory", show_size(self.limits.memory)),
            ("limits.threads", self.limits.threads.to_string()),
            ("limits.output", show_size(self.limits.output)),
            ("run.sandbox", mode.to_owned()),
            ("run.without", self.sandbox.without.join(" ")),
            ("run.isolation", self.isolation.name().to_owned()),
        ];
        let mut list: Vec<(String, String)> = list.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if facts.has_turn_order(self.seats) {
            list.push((TURN_ORDER.to_owned(), BALANCED.to_owned()));
        }
        list.push((WALL_TIME.to_owned(), time.wall_factor.to_string()));
        list.extend(self.pairing());
        for (index, setting) in self.settings.iter().enumerate() {
            let each =
                setting.options.iter().map(|(key, value)| (format!("options.{}.{key}", index + 1), value.to_owned()));
            list.extend(each);
        }
        list
    }

    /// What pairings depend on. A round robin says nothing, so that records of before there was anything else go on.
    fn pairing(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        if self.system != System::RoundRobin {
            list.push(("pairing", self.system.name().to_owned()));
        }
        if self.system.is_drawn() {
            let Points { win, draw, loss, crash } = self.points;
            let crash = crash.map_or(String::new(), |crash| format!(", crash {crash}"));
            list.push(("openings", self.openings.to_string()));
            list.push(("seeding", if self.seeding == Seeding::Drawn { "drawn" } else { "listed" }.to_owned()));
            list.push(("points", format!("win {win}, draw {draw}, loss {loss}{crash} thousandths")));
        }
        if let System::Knockout { playoffs } = self.system {
            list.push(("playoffs", playoffs.to_string()));
        }
        list.into_iter().map(|(key, value)| (format!("{PAIRING}{key}"), value)).collect()
    }
}
