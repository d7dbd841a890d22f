//! Exports as JSON: one line for the ladder, for each client and for each match, or all of them in one document.

use super::Sheet;
use super::line::{ClientLine, ExportLine, LadderLine, MatchLine, SCHEMA, Tail};
use agon_model::visible::{Medium, visible};
use serde::Serialize;
use std::io::{self, Write};

/// JSON Lines: `agon record import` reads it.
pub struct Jsonl;

fn write_value(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(visible(&serde_json::to_string(value)?, Medium::Json).as_bytes())
}

fn write_line(line: &ExportLine<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_value(line, out)?;
    out.write_all(b"\n")
}

impl Sheet for Jsonl {
    fn begin(&mut self, ladder: &LadderLine, clients: &[ClientLine], out: &mut dyn Write) -> io::Result<()> {
        write_line(&ExportLine::Ladder(ladder), out)?;
        clients.iter().try_for_each(|client| write_line(&ExportLine::Client(client), out))
    }

    fn add(&mut self, line: &MatchLine, out: &mut dyn Write) -> io::Result<()> {
        write_line(&ExportLine::Match(line), out)
    }

    fn end(&mut self, tail: &Tail, out: &mut dyn Write) -> io::Result<()> {
        tail.stages.iter().try_for_each(|stage| write_line(&ExportLine::Stage(stage), out))?;
        tail.suspensions.iter().try_for_each(|one| write_line(&ExportLine::Suspension(one), out))?;
        tail.excuses.iter().try_for_each(|one| write_line(&ExportLine::Excuse(one), out))?;
        tail.voids.iter().try_for_each(|void| write_line(&ExportLine::Void(void), out))
    }
}

/// One document, with a line for each match.
#[derive(Default)]
pub struct Document {
    has_match: bool,
}

fn write_key(key: &str, value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\"{key}\":")?;
    write_value(value, out)?;
    out.write_all(b",\n")
}

impl Sheet for Document {
    fn begin(&mut self, ladder: &LadderLine, clients: &[ClientLine], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{")?;
        write_key("schema", &SCHEMA, out)?;
        write_key("ladder", ladder, out)?;
        write_key("clients", &clients, out)?;
        out.write_all(b"\"matches\":[")
    }

    fn add(&mut self, line: &MatchLine, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.has_match { b",\n" } else { b"\n" })?;
        self.has_match = true;
        write_value(line, out)
    }

    fn end(&mut self, tail: &Tail, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\n],\n")?;
        write_key("stages", &tail.stages, out)?;
        write_key("suspensions", &tail.suspensions, out)?;
        write_key("excuses", &tail.excuses, out)?;
        out.write_all(b"\"voids\":")?;
        write_value(&tail.voids, out)?;
        out.write_all(b"}\n")
    }
}
