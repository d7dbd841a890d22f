//! One match as people follow it: while it is on a board from there, when it has ended from the record.

use crate::feed::Feed;
use crate::published::{ShownLadder, match_of};
use agon_command::Failure;
use agon_games::{AnyGame, Language};
use agon_model::find_game;
use agon_playback::{Followed, MatchTimes, Playback};
use agon_web::{FollowedAt, Ways, follow_page};

/// The most boards that a page offers.
const MOST_BOARDS: usize = 12;

/// The page of a match with this id, as one team may see it or as all may; `None` where there is none. `feed` is that of
/// the ladder, if it is played.
pub(crate) fn follow(
    redacted: &ShownLadder<'_>,
    feed: Option<&Feed>,
    (team, id): (Option<&str>, &str),
    games: &[&dyn AnyGame],
    (ways, language): (Ways<'_>, Language),
) -> Result<Option<String>, Failure> {
    if let Some(stored) = match_of(redacted, team, id)? {
        let game = find_game(games, &stored.ladder.game)?;
        let playback = Playback::in_language(&stored, game, language);
        return Ok(Some(follow_page(&Followed::to_the_end(&playback), FollowedAt::Record(&playback), ways)));
    }
    let Some(feed) = feed.filter(|feed| !feed.is_over() && is_id(id)) else { return Ok(None) };
    let page = match under_way(redacted, feed, (team, id), language) {
        Some((followed, None)) => follow_page(&followed, FollowedAt::Board, ways),
        Some((followed, Some(ranks))) => follow_page(&followed, FollowedAt::Ended(&ranks), ways),
        None => {
            let nowhere = Followed { language, id: id.to_owned(), ..Followed::default() };
            follow_page(&nowhere, FollowedAt::Nowhere(&played_now(feed)), ways)
        }
    };
    Ok(Some(page))
}

/// The matches on boards: their ids and players.
fn played_now(feed: &Feed) -> Vec<(String, String)> {
    let mut boards = Vec::new();
    feed.live.look(&mut |board| {
        if boards.len() < MOST_BOARDS && board.ranks.is_none() {
            boards.push((board.id.to_owned(), board.seats.join(" – ")));
        }
    });
    boards
}

/// Whether a match may have this id: a block's, and the letter of the match in it.
fn is_id(id: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_hex = |text: &str| (8..=32).contains(&text.len()) && text.bytes().all(is_digit);
    let is_letter = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_lowercase());
    id.split_once('-').is_some_and(|(block, number)| is_hex(block) && is_letter(number))
}

/// The match on its board, with its ranks if it has ended.
fn under_way(
    redacted: &ShownLadder<'_>,
    feed: &Feed,
    (team, id): (Option<&str>, &str),
    language: Language,
) -> Option<(Followed, Option<Vec<u32>>)> {
    let common = redacted.ladder().terms.time.as_ref();
    let entrants = redacted.entrants();
    let time_of = |label: &String| {
        let entrant = entrants.iter().find(|entrant| entrant.label == *label)?;
        common.map(|common| entrant.time(common))
    };
    // A team reads what its own clients said, as on the page of a match.
    let is_own = |label: &String| {
        let entrant = entrants.iter().position(|entrant| entrant.label == *label);
        let member = entrant.and_then(|entrant| redacted.members().get(entrant));
        team.is_none() || member.is_some_and(|member| Some(member.team.as_str()) == team)
    };
    let mut found = None;
    feed.live.look_for(id, &mut |board| {
        let times = MatchTimes { common, seats: board.seats.iter().map(time_of).collect() };
        let start = board.start.as_ref().map(|start| start.clone_box());
        let thoughts = board.thoughts.iter().filter(|(_, seat, _)| board.seats.get(*seat).is_some_and(is_own));
        let thoughts: Vec<_> = thoughts.copied().collect();
        let followed = Followed::new((id, &board.seats), start, &board.steps, &times, language);
        let followed = followed.with_thoughts(&thoughts).with_public(board.scene(language));
        found = Some((followed, board.ranks.clone()));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_of_matches_are_waited_for() {
        assert!(is_id("0123456789abcdef-a") && is_id("01234567-u"));
        for id in ["", "a", "0123456789abcdef", "0123456789abcdef-", "0123456789ABCDEF-a", "0123456789abcdef-ab", "é-a"]
        {
            assert!(!is_id(id), "{id}");
        }
    }
}
