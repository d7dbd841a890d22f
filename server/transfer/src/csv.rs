//! An export as CSV for a spreadsheet or a statistics program: a line for each seat, fields as in RFC 4180. Seats count
//! from 1, times are microseconds, moves are left out.

use super::Sheet;
use super::line::{ClientLine, LadderLine, MatchLine, Tail};
use agon_model::visible::{Medium, visible};
use std::io::{self, Write};

const TITLES: &str = "match,ladder,game,setting,opening,started,us,turns,ending,seat,client,sha256,rank,score,fault,fault_turn,\
                      notices,play_cpu_us,play_wall_us,slowest_us,memory\n";

pub struct Csv;

impl Sheet for Csv {
    fn begin(&mut self, _: &LadderLine, _: &[ClientLine], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(TITLES.as_bytes())
    }

    fn add(&mut self, line: &MatchLine, out: &mut dyn Write) -> io::Result<()> {
        let field = |text: &str| visible(text, Medium::Csv).into_owned();
        let (ladder, game, name) = (field(&line.ladder), field(&line.game), field(&line.name));
        for (index, seat) in line.seats.iter().enumerate() {
            let (client, sha256) = (field(&seat.client), field(seat.sha256.as_deref().unwrap_or("")));
            let fault = seat.fault.as_ref().map_or("", |fault| fault.kind.name());
            let turn = seat.fault.as_ref().map_or(String::new(), |fault| (u64::from(fault.ply) + 1).to_string());
            let usage = &seat.usage;
            write!(out, "{},{ladder},{game},{name},{},{},{},", field(&line.id), line.opening, line.started, line.us)?;
            write!(out, "{},{},{},{client},{sha256},{},", line.turns, line.ending.name(), index + 1, seat.rank)?;
            write!(out, "{},{fault},{turn},{},{},", seat.score, seat.notices.len(), usage.play_cpu_us)?;
            writeln!(out, "{},{},{}", usage.play_wall_us, usage.slowest_us, usage.memory)?;
        }
        Ok(())
    }

    fn end(&mut self, _: &Tail, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
