//! The form in which a worker on another machine delivers a block: JSON, with the steps in base64. A reader trusts none
//! of it.

use crate::encode;
use crate::exchange::LARGEST_DELIVERY;
use agon_model::visible::escape;
use agon_model::{Block, Ending, EntrantId, Match, Output, PlayedBlock, SeatResult, client_seed};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde::{Deserialize, Serialize};

/// A match on its way; its entrants have their numbers in the record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchInTransit {
    id: String,
    start: u64,
    ending: String,
    started: u64,
    wall_us: u64,
    steps: String,
    seats: Vec<SeatResult>,
    outputs: Vec<Output>,
}

/// Writes a played block. `ids` are the entrants' numbers in the record.
pub fn write_delivery(played: &PlayedBlock, ids: &[EntrantId]) -> String {
    let matches: Vec<MatchInTransit> = played.matches.iter().map(|one| write_match(one, ids)).collect();
    crate::to_json(&matches)
}

fn write_match(played: &Match, ids: &[EntrantId]) -> MatchInTransit {
    let seats = played.seats.iter().map(|seat| SeatResult { entrant: ids[seat.entrant].0 as usize, ..seat.clone() });
    MatchInTransit {
        id: played.id.clone(),
        start: played.start,
        ending: played.ending.name().to_owned(),
        started: played.started,
        wall_us: played.wall_us,
        steps: BASE64.encode(encode::steps(&played.steps)),
        seats: seats.collect(),
        outputs: played.outputs.clone(),
    }
}

/// Reads the result of `block` and checks it as far as possible without the rules: matches in order, the right players
/// with their own seeds, and no events in turns that were not played.
///
/// # Errors
/// The text says what does not fit, as a sentence without its end.
pub fn read_delivery(content: &str, block: &Block, ids: &[EntrantId]) -> Result<PlayedBlock, String> {
    if content.len() > LARGEST_DELIVERY {
        return Err(format!("it has {} bytes, and at most {LARGEST_DELIVERY} are taken", content.len()));
    }
    let told: Vec<MatchInTransit> = serde_json::from_str(content).map_err(|error| {
        let text = error.to_string();
        format!("it cannot be read: {}", escape(&text, 120))
    })?;
    if told.len() != block.rotations {
        return Err(format!("it has {} matches, and the block {}", told.len(), block.rotations));
    }
    let pairings = block.pairings().zip(told);
    let matches = pairings.map(|(pairing, told)| read_match(told, block, &pairing, ids)).collect::<Result<_, _>>()?;
    Ok(PlayedBlock { block: block.clone(), matches })
}

fn read_match(
    told: MatchInTransit,
    block: &Block,
    pairing: &agon_model::Pairing,
    ids: &[EntrantId],
) -> Result<Match, String> {
    let id = &pairing.id;
    if told.id != *id {
        return Err(format!("it has match {} where {id} stands", escape(&told.id, 40)));
    }
    let ending = Ending::named(&told.ending).filter(Ending::is_counted);
    let ending = ending.ok_or_else(|| format!("match {id} ends in no way that matches end in"))?;
    let bytes = BASE64.decode(&told.steps).ok();
    let steps = bytes.and_then(|bytes| encode::read_steps(&bytes));
    let steps = steps.ok_or_else(|| format!("the steps of match {id} cannot be read"))?;
    let players = pairing.seats.len();
    if told.seats.len() != players || told.outputs.iter().any(|output| output.seat >= players) {
        return Err(format!("match {id} has other seats than its block"));
    }
    if told.started > i64::MAX as u64 || told.wall_us > i64::MAX as u64 {
        return Err(format!("match {id} has a time that no clock shows"));
    }
    let mut seats = told.seats;
    for (seat, (result, &entrant)) in seats.iter_mut().zip(&pairing.seats).enumerate() {
        if ids.get(entrant).copied() != i64::try_from(result.entrant).ok().map(EntrantId) {
            return Err(format!("somebody else sits on seat {} of match {id}", seat + 1));
        }
        if result.seed != client_seed(block, pairing.rotation, seat) {
            return Err(format!("seat {} of match {id} had another seed than it is given", seat + 1));
        }
        result.entrant = entrant;
    }
    let (start, started, wall_us, outputs) = (told.start, told.started, told.wall_us, told.outputs);
    let played = Match { id: told.id, start, ending, seats, steps, outputs, started, wall_us };
    check_turns(&played)?;
    Ok(played)
}

/// Checks that turns follow each other, and that each event belongs to a played turn or to the next one.
fn check_turns(played: &Match) -> Result<(), String> {
    let (id, players) = (&played.id, played.seats.len());
    for (next, turn) in (0..).zip(played.steps.chunk_by(|a, b| a.ply == b.ply)) {
        if turn[0].ply != next || turn.iter().any(|step| step.seat >= players) {
            return Err(format!("match {id} lacks turn {next}, or a seat that is not there moves"));
        }
    }
    let late = played.plies() + 1;
    let faults = played.seats.iter().flat_map(|seat| &seat.fault).map(|fault| fault.ply);
    let notices = played.seats.iter().flat_map(|seat| &seat.notices).map(|notice| notice.ply);
    if faults.chain(notices).chain(played.outputs.iter().map(|output| output.ply)).any(|ply| ply > late) {
        return Err(format!("match {id} has something in a turn that was not played"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Block {
        let (id, lineup) = ("00000000000000ab".to_owned(), vec![1, 0]);
        Block { id, number: 3, lineup, rotations: 2, setting: 0, opening: 5, client_seed: [7; 32] }
    }

    fn played() -> PlayedBlock {
        let block = block();
        let one = |pairing: agon_model::Pairing| {
            let seat = |(seat, &entrant): (usize, &usize)| SeatResult {
                entrant,
                seed: client_seed(&block, pairing.rotation, seat),
                told_name: "it".to_owned(),
                score: 1,
                rank: 1,
                ..SeatResult::default()
            };
            let seats = pairing.seats.iter().enumerate().map(seat).collect();
            let (steps, outputs) = (Vec::new(), Vec::new());
            Match {
                id: pairing.id,
                start: u64::MAX,
                ending: Ending::Over,
                seats,
                steps,
                outputs,
                started: 1,
                wall_us: 2,
            }
        };
        let matches = block.pairings().map(one).collect();
        PlayedBlock { block: block.clone(), matches }
    }

    #[test]
    fn what_is_written_is_read() {
        let ids = [70, 90].map(EntrantId);
        let text = write_delivery(&played(), &ids);
        assert_eq!(read_delivery(&text, &block(), &ids).unwrap().matches, played().matches);
    }

    #[test]
    fn what_is_of_another_block_is_refused() {
        let (ids, text) = ([70, 90].map(EntrantId), write_delivery(&played(), &[70, 90].map(EntrantId)));
        let refused = |text: &str, block: &Block, ids: &[EntrantId]| read_delivery(text, block, ids).unwrap_err();
        assert!(refused(&text, &block(), &[70, 91].map(EntrantId)).starts_with("somebody else sits on seat 1"));
        assert!(refused(&text, &Block { client_seed: [8; 32], ..block() }, &ids).contains("another seed"));
        assert!(refused(&text, &Block { id: "00000000000000ac".to_owned(), ..block() }, &ids).contains("where "));
        assert!(refused(&text, &Block { rotations: 1, ..block() }, &ids).contains("2 matches, and the block 1"));
        assert!(refused(&text[1..], &block(), &ids).starts_with("it cannot be read"));
        assert!(refused(&text.replace("over", "void"), &block(), &ids).contains("ends in no way"));
        assert!(refused(&" ".repeat(LARGEST_DELIVERY + 1), &block(), &ids).contains("bytes"));
    }
}
