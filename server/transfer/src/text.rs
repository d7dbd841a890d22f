//! An export for people: tags and moves in the game's notation, one match below the other, like PGN in chess.

use super::Sheet;
use super::line::{ClientLine, ExportSeat, LadderLine, MatchLine, Tail};
use agon_model::MoveLine;
use agon_model::visible::escape;
use jiff::Timestamp;
use std::io::{self, Write};

/// The width at which lines of moves end.
const WIDTH: usize = 80;

pub struct Text;

impl Sheet for Text {
    fn begin(&mut self, _: &LadderLine, _: &[ClientLine], _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn add(&mut self, line: &MatchLine, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n{}", tags(line), moves(line))
    }

    fn end(&mut self, tail: &Tail, out: &mut dyn Write) -> io::Result<()> {
        tail.voids.iter().try_for_each(|void| {
            writeln!(
                out,
                "% block {} is void after {} tries: {}",
                escape(&void.block, 80),
                void.tries,
                escape(&void.cause, 400)
            )
        })
    }
}

fn tags(line: &MatchLine) -> String {
    let list = |each: &dyn Fn(&ExportSeat) -> String| line.seats.iter().map(each).collect::<Vec<_>>().join(" ");
    let mut tags = vec![
        ("Match".to_owned(), line.id.clone()),
        ("Ladder".to_owned(), line.ladder.clone()),
        ("Game".to_owned(), line.game.clone()),
        ("Setting".to_owned(), line.name.clone()),
        ("Opening".to_owned(), line.opening.to_string()),
        ("Date".to_owned(), date(line.started)),
    ];
    tags.extend(line.seats.iter().enumerate().map(|(seat, its)| (format!("Seat{}", seat + 1), its.client.clone())));
    tags.push(("Ranks".to_owned(), list(&|seat| seat.rank.to_string())));
    tags.push(("Scores".to_owned(), list(&|seat| seat.score.to_string())));
    tags.push(("Turns".to_owned(), line.turns.to_string()));
    tags.push(("Ending".to_owned(), line.ending.name().to_owned()));
    for (seat, its) in line.seats.iter().enumerate() {
        if let Some(fault) = &its.fault {
            let what = format!("{} in turn {}: {}", fault.kind.name(), u64::from(fault.ply) + 1, fault.message);
            tags.push((format!("Fault{}", seat + 1), what.trim_end_matches(": ").to_owned()));
        }
    }
    let quoted = |text: &str| escape(text, 1000).replace('\\', "\\\\").replace('"', "\\\"");
    tags.iter().map(|(key, value)| format!("[{key} \"{}\"]\n", quoted(value))).collect()
}

/// Writes turn by turn, with moves made at once in one turn, and the ranks at the end.
fn moves(line: &MatchLine) -> String {
    let mut out = String::new();
    let mut column = 0;
    let mut add = |word: &str| {
        let length = word.chars().count();
        let parts = column > 0 && column + 1 + length > WIDTH;
        out.push_str(if parts {
            "\n"
        } else if column > 0 {
            " "
        } else {
            ""
        });
        out.push_str(word);
        column = if parts || column == 0 { length } else { column + 1 + length };
    };
    for turn in line.moves.chunk_by(|a, b| a.n == b.n) {
        add(&format!("{}.", u64::from(turn[0].n) + 1));
        turn.iter().for_each(|step| add(&word(step)));
    }
    let ranks: Vec<_> = line.seats.iter().map(|seat| seat.rank.to_string()).collect();
    add(&ranks.join("-"));
    out + "\n"
}

/// Writes a move, in braces if the rules moved for a client that was out.
fn word(step: &MoveLine) -> String {
    let mut text = escape(&step.text, 1000);
    if text.is_empty() {
        text = format!("0x{:x}", step.bytes);
    }
    if step.by_client { text } else { format!("{{{text}}}") }
}

/// Writes seconds since 1970 as `2026.11.20 14:19:02` UTC; the calendar ends with the year 9999.
fn date(seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    at.unwrap_or(Timestamp::MAX).strftime("%Y.%m.%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970.01.01 00:00:00");
        assert_eq!(date(951_868_799), "2000.02.29 23:59:59");
        assert_eq!(date(1_790_000_000), "2026.09.21 14:13:20");
        assert_eq!(date(4_107_542_400), "2100.03.01 00:00:00");
        assert!(date(u64::MAX).starts_with("9999.12.30 "));
    }
}
