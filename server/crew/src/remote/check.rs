//! Checks that a worker's delivery follows from the rules and its moves. The clients' faults and times are trusted:
//! only playing the block again could check them.

use agon_abi::Layer;
use agon_games::PreparedSetting;
use agon_model::{
    Adjudication, Block, Ending, EntrantId, Isolation, Match, NoticeKind, Output, Phase, PlayedBlock, SandboxMode,
    SandboxPolicy, SeatResult, Step, Stream, opening,
};
use agon_player::groups::LAYER;
use agon_record::read_delivery;
use agon_record::verify;

/// The data by which a ladder's deliveries are judged.
pub struct Check<'a> {
    /// The settings, worked out.
    pub settings: &'a [Box<dyn PreparedSetting>],
    /// The seed of everything drawn.
    pub seed: u64,
    /// The entrants' numbers in the record.
    pub ids: &'a [EntrantId],
    /// The separation between a client and the player of its block.
    pub isolation: Isolation,
    /// The layers of the sandbox that are required.
    pub sandbox: &'a SandboxPolicy,
    /// The bytes kept of each stream of a client.
    pub output: u64,
    /// When the claims of both clients end a match; `None` = never.
    pub adjudication: Option<Adjudication>,
}

/// Bytes of a client that are not text take this many times as much in a report.
const REPLACED: u64 = 3;
/// The bytes of the note about the omitted part.
const GAP: u64 = 64;

impl Check<'_> {
    /// Reads a delivered block, and replays it by the rules.
    ///
    /// # Errors
    /// The text says what does not fit, as a sentence without its end.
    pub fn read(&self, content: &str, block: &Block) -> Result<PlayedBlock, String> {
        let played = read_delivery(content, block, self.ids)?;
        for one in &played.matches {
            let start = self.settings[block.setting].start(&opening(self.seed, block.opening));
            verify(start, one).map_err(|why| format!("match {}: {why}", one.id))?;
            check_absent(one)?;
            self.check_ending(one)?;
            for (seat, result) in one.seats.iter().enumerate() {
                let of_seat = |why: String| format!("match {}, seat {}: {why}", one.id, seat + 1);
                self.check_layers(result).map_err(of_seat)?;
                self.check_outputs(one, seat).map_err(of_seat)?;
            }
        }
        Ok(played)
    }

    /// If both clients' claims ended a match, the ladder must allow that, and the claims must be there, as far as their
    /// logs are complete.
    fn check_ending(&self, one: &Match) -> Result<(), String> {
        if one.ending != Ending::Adjudicated {
            return Ok(());
        }
        let wrong = || format!("match {} ended by what both clients said, which they did not, or not here", one.id);
        let terms = self.adjudication.filter(|terms| !terms.plays_on(&one.id)).ok_or_else(wrong)?;
        let is_cut = |seat: &SeatResult| seat.notices.iter().any(|notice| notice.kind == NoticeKind::CappedOutput);
        let said = one.steps.iter().map(|step| (step.ply, step.seat, logged_value(one, step)));
        let agreed = terms
            .decide(said)
            .is_some_and(|(ply, winner)| ply + 1 == one.plies() && one.adjudicated_to() == Some(winner));
        let may_be = one.steps.len() >= terms.moves as usize && one.seats.iter().any(is_cut);
        if agreed || may_be { Ok(()) } else { Err(wrong()) }
    }

    /// Checks that every required layer held, or that the worker reported one that did not.
    fn check_layers(&self, result: &SeatResult) -> Result<(), String> {
        let is_known = |name: &String| name == LAYER || Layer::ALL.iter().any(|layer| layer.name() == name);
        if !result.layers.iter().all(is_known) {
            return Err("its sandbox has a layer that there is not".to_owned());
        }
        let is_fresh = self.isolation == Isolation::Process;
        let came_in = result.fault.as_ref().is_none_or(|fault| fault.phase != Phase::Load);
        let lacks =
            |layer: &&Layer| self.asks_for(layer.name()) && !result.layers.iter().any(|name| name == layer.name());
        for layer in Layer::ALL.iter().filter(|layer| came_in && lacks(layer)) {
            let is_told = |kind| kind == NoticeKind::MissingLayer;
            let is_told = result.notices.iter().any(|n| is_told(n.kind) && n.message.contains(layer.name()));
            if self.sandbox.mode == SandboxMode::Strict || (is_fresh && !is_told) {
                return Err(format!("the layer {} of its sandbox did not hold", layer.name()));
            }
        }
        Ok(())
    }

    fn asks_for(&self, layer: &str) -> bool {
        self.sandbox.mode != SandboxMode::Off && !self.sandbox.without.iter().any(|left_out| left_out == layer)
    }

    /// Checks that no client printed more than a match of this machine would keep.
    fn check_outputs(&self, one: &Match, seat: usize) -> Result<(), String> {
        let most = REPLACED * self.output + GAP;
        for stream in [Stream::Stdout, Stream::Stderr, Stream::Log] {
            let own = one.outputs.iter().filter(|output| output.seat == seat && output.stream == stream);
            let bytes: u64 = own.map(|output| output.text.len() as u64).sum();
            if bytes > most {
                let name = format!("{stream:?}").to_lowercase();
                return Err(format!("it has {bytes} bytes of {name}, and a match keeps at most {most}"));
            }
        }
        Ok(())
    }
}

/// The last `value` that a client logged with its move.
fn logged_value(one: &Match, step: &Step) -> Option<f64> {
    let is_with = |output: &&Output| {
        (output.seat, output.ply, output.phase, output.stream) == (step.seat, step.ply, Phase::Play, Stream::Log)
    };
    let lines = one.outputs.iter().filter(is_with).flat_map(|output| output.text.lines());
    let last = lines.filter_map(|line| line.strip_prefix("value\t")).next_back().filter(|_| step.by_client)?;
    last.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// Checks that the rules moved only for seats that are out.
fn check_absent(played: &Match) -> Result<(), String> {
    let is_out = |seat: usize| played.seats[seat].fault.is_some();
    match played.steps.iter().find(|step| !step.by_client && !is_out(step.seat)) {
        Some(step) => Err(format!("match {}: somebody moved for seat {}, which is not out", played.id, step.seat + 1)),
        None => Ok(()),
    }
}
