//! Describes a ladder before it is played: the number of matches, the first meetings, and the longest time.

use super::{PreparedLadder, RunEvent, rounds};
use crate::prepared::prepare;
use crate::schedule::{KeptDrawing, Schedule};
use agon_crew::cores::share_cores;
use agon_games::{AnyGame, PreparedSetting, Varied};
use agon_model::{EntrantId, Ladder, Paths, Stage, StageKind, TimeControl, opening, units};
use agon_record::{Record, RunError};

/// The facts about a ladder before it is played.
pub struct LadderPlan {
    /// The number of matches, as far as is known.
    pub matches: u64,
    /// The first stage, if pairings follow from results.
    pub first: Option<FirstStage>,
}

/// The first stage of a ladder of which nothing is recorded yet.
pub struct FirstStage {
    pub kind: StageKind,
    pub round: u32,
    /// The players of each meeting, by index into the entrants; a single one has a bye.
    pub meetings: Vec<Vec<usize>>,
}

impl FirstStage {
    /// The number of meetings that are played.
    pub fn played_meetings(&self) -> u64 {
        self.meetings.iter().filter(|meeting| meeting.len() > 1).count() as u64
    }
}

/// Plans a ladder without playing it: the number of matches, and the participants.
pub fn plan<'a>(
    ladder: &'a Ladder,
    games: &'a [&'a dyn AnyGame],
    paths: &Paths,
    record: &dyn Record,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<(PreparedLadder<'a>, Schedule), RunError> {
    if let Err(advice) = share_cores(ladder.jobs, ladder.limits.threads) {
        tell(RunEvent::Warning(format!("this machine would not play it: {advice}")));
    }
    let prepared = prepare(ladder, games, paths, record, tell)?;
    if prepared.begins_alike() {
        let what =
            format!("all {} openings begin from one position: deterministic clients repeat one match", ladder.openings);
        let settings: Vec<_> = ladder.settings.iter().map(|setting| &setting.options).collect();
        let game = games.iter().find(|game| game.facts().name == ladder.game);
        let help = match game.and_then(|game| Varied::of(*game, &settings, ladder.seats)) {
            Some(varied) => format!("set {} below [options]", varied.line()),
            None => format!("agon rules {} lists the options of the game", ladder.game),
        };
        tell(RunEvent::Warning(format!("{what}; help: {help}")));
    }
    let schedule = prepared.schedule((ladder.seed.unwrap_or(0), &[]), &mut KeptDrawing::default())?;
    let matches = prepared.plan(&schedule).matches;
    tell(RunEvent::DiskEstimate(prepared.disk_estimate(record, matches)?));
    Ok((prepared, schedule))
}

/// The number of openings that are compared, to find out whether they differ.
const LOOKED_AT: u64 = 20;

impl PreparedLadder<'_> {
    /// Whether there are several openings, and none differs from another.
    fn begins_alike(&self) -> bool {
        let (openings, seed) = (self.ladder.openings.min(LOOKED_AT), self.ladder.seed.unwrap_or(0));
        let start = |setting: &dyn PreparedSetting, number| setting.start(&opening(seed, number)).hash();
        let is_one =
            |setting: &dyn PreparedSetting| (1..openings).all(|number| start(setting, number) == start(setting, 0));
        openings > 1 && self.settings.iter().all(|setting| is_one(&**setting))
    }

    /// The facts before it is played; the players of `first` are entrants by index.
    pub fn plan(&self, schedule: &Schedule) -> LadderPlan {
        if !self.ladder.system.pairs_by_results() {
            return LadderPlan { matches: schedule.match_count(), first: None };
        }
        let rules = rounds::rules(self.ladder);
        let playing = (0..self.entrants.len()).filter(|&index| self.entrants[index].refused.is_none()).collect();
        let order = rounds::in_seeding_order(playing, self.ladder.seeding, schedule);
        // The record has no numbers for them yet: here a number is a place in this order.
        let field: Vec<EntrantId> = (0i64..).take(order.len()).map(EntrantId).collect();
        let player = |id: EntrantId| usize::try_from(id.0).ok().and_then(|place| order.get(place).copied());
        let first = rules.next(&field, &[]).map(|Stage { kind, round, meetings, .. }| {
            let players = |meeting: Vec<EntrantId>| meeting.into_iter().filter_map(player).collect();
            FirstStage { kind, round, meetings: meetings.into_iter().map(players).collect() }
        });
        let meetings = rules.meetings_to_come(field.len(), &[]);
        let matches = meetings * rules.openings * schedule.matches_an_opening();
        LadderPlan { matches, first }
    }

    /// The longest time that `matches` may take, in words: the clients' whole time, because nobody knows how much of it
    /// they use.
    pub fn estimate(&self, matches: u64) -> String {
        let Some(time) = self.longest_time() else {
            return "some clients have times of their own of another kind: no estimate".to_owned();
        };
        let jobs = share_cores(self.ladder.jobs, self.ladder.limits.threads).map_or(1, |cores| cores.len() as u64);
        let seats = self.ladder.seats as u64;
        match (time.total_us, time.per_move_us) {
            (Some(total), _) if time.period.is_some() => format!(
                "at most {} for each {} moves of a client with {jobs} at once; how many there will be is not known \
                 before",
                units::show_duration(total),
                time.period.unwrap_or(1)
            ),
            (Some(total), _) => {
                let most_us = (total + time.initialize_us + time.finalize_us) * seats * matches / jobs;
                let most = units::about_duration(most_us as f64 / 1e6);
                format!("at most {most} with {jobs} at once, if every client uses all its time")
            }
            (None, Some(move_us)) => {
                let moves = self.moves_by_chance();
                let most_us = (move_us * moves + (time.initialize_us + time.finalize_us) * seats) * matches / jobs;
                format!(
                    "at most {} with {jobs} at once, if a match has {moves} moves, as in random play, and every move takes \
                     {}",
                    units::about_duration(most_us as f64 / 1e6),
                    units::show_duration(move_us)
                )
            }
            (None, None) => "no limit on time: no estimate".to_owned(),
        }
    }

    /// The longest time of a client, if all have the same kind of time.
    fn longest_time(&self) -> Option<TimeControl> {
        let times = self.entrants.iter().map(|entrant| entrant.time(&self.ladder.time));
        let kind = |time: &TimeControl| (time.total_us.is_some(), time.per_move_us.is_some(), time.period);
        let is_alike = |one: TimeControl, other: TimeControl| {
            let key = |time: &TimeControl| time.total_us.or(time.per_move_us);
            (kind(&one) == kind(&other)).then(|| if key(&other) > key(&one) { other } else { one })
        };
        times.map(Some).reduce(|one, other| is_alike(one?, other?)).unwrap_or_else(|| Some(self.ladder.time.clone()))
    }
}
