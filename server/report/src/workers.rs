//! The workers of a record, a line each, and below them why some do not play.

use super::grid::text_table;
use super::worker_results::WorkerResults;
use agon_model::documents::{self, Worker};
use agon_model::visible::escape;
use agon_model::{WorkerState, counted};
use agon_record::exchange::WorkerRow;

/// The workers of a record.
#[derive(Debug)]
pub struct Workers {
    pub rows: Vec<WorkerRow>,
    /// The number of those that left and are not among the rows.
    pub more: u64,
}

/// The number of workers that left and are listed unless all are asked for.
pub const LISTED_LEFT: u64 = 20;

impl Workers {
    /// A table in the order in which they came.
    pub fn text(&self) -> String {
        let is_there = |row: &&WorkerRow| row.state == WorkerState::Active;
        let (active, jobs) =
            self.rows.iter().filter(is_there).fold((0, 0), |(n, jobs), row| (n + 1, jobs + row.cores.1));
        let active = counted(active, "worker plays", "workers play");
        let mut out = format!("{active}, {} at once\n", counted(jobs.into(), "match", "matches"));
        if self.rows.is_empty() {
            return out;
        }
        let titles = [
            ">id", "worker", "line", "state", ">cores", ">jobs", ">speed", ">has", ">blocks", ">an hour", ">void",
            ">late", ">faults", ">seen",
        ];
        out += "\n";
        out += &text_table(&titles, self.rows.iter().map(line));
        if self.more > 0 {
            let more = counted(self.more, "more worker that left is", "more workers that left are");
            out += &format!("\n{more} not listed; agon worker list --all lists all\n");
        }
        let whys: Vec<String> = self.rows.iter().filter_map(why).collect();
        if !whys.is_empty() {
            out += &format!("\n{}", whys.concat());
        }
        out
    }

    /// The document `agon.workers/1`; with what they came to, where that was compared.
    pub fn document(&self, results: Option<&WorkerResults>) -> documents::Workers {
        let worker = |row: &WorkerRow| Worker {
            id: row.id,
            worker: row.name.clone(),
            role: row.role.clone(),
            line: row.line.clone(),
            state: row.state,
            build: row.build.clone(),
            cores: row.cores.0,
            jobs: row.cores.1,
            speed: row.speed.as_ref().map(|speed| speed.relative),
            spread: row.speed.as_ref().map(|speed| speed.spread),
            class: row.speed.as_ref().map(|speed| speed.class.clone()),
            has: row.holds,
            blocks: row.blocks,
            blocks_an_hour: row.blocks_an_hour(),
            voids: row.voids,
            late: row.late,
            faults: row.faults,
            seen_s: row.silent.as_secs(),
            why: row.why.clone(),
        };
        documents::Workers {
            workers: self.rows.iter().map(worker).collect(),
            more: self.more,
            differences: results.map(|results| results.differences().to_vec()),
        }
    }
}

fn line(row: &WorkerRow) -> Vec<String> {
    let (cores, jobs) = row.cores;
    let speed = row.speed.as_ref().map_or("-".to_owned(), |speed| format!("{:.2}", speed.relative));
    let hourly = row.blocks_an_hour().map_or("-".to_owned(), |blocks| blocks.to_string());
    let line = row.line.as_ref().map_or("-".to_owned(), |line| escape(line, 40));
    let mut cells = vec![row.id.to_string(), escape(&row.name, 40), line, row.state.name().to_owned()];
    cells.extend([cores.to_string(), jobs.to_string(), speed]);
    cells.extend([row.holds.to_string(), row.blocks.to_string(), hourly]);
    cells.extend([row.voids, row.late, row.faults].map(|count| count.to_string()));
    cells.push(ago(row.silent.as_secs()));
    cells
}

fn why(row: &WorkerRow) -> Option<String> {
    Some(format!("{} ({}): {}\n", escape(&row.name, 40), row.id, escape(row.why.as_ref()?, 400)))
}

/// How long ago, in one unit.
fn ago(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s ago"),
        120..7200 => format!("{} min ago", seconds / 60),
        _ => format!("{} h ago", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::MachineSpeed;
    use std::time::Duration;

    #[test]
    fn a_line_a_worker_and_why_one_does_not_play() {
        let row = WorkerRow {
            id: 7,
            name: "lab-3".to_owned(),
            role: "agon_lab".to_owned(),
            line: Some("pool".to_owned()),
            state: WorkerState::Active,
            build: "0.1.0".to_owned(),
            cores: (8, 6),
            holds: 12,
            blocks: 340,
            voids: 1,
            late: 2,
            faults: 3,
            speed: Some(MachineSpeed { relative: 1.256, spread: 0.02, class: "Some CPU".to_owned() }),
            silent: Duration::from_secs(125),
            stay: Duration::from_secs(1800),
            why: Some("block 1: \u{1b}[2J".to_owned()),
        };
        let text = Workers { rows: vec![row.clone()], more: 0 }.text();
        assert!(text.starts_with("1 worker plays, 6 matches at once\n\n"), "{text}");
        assert!(text.contains("1.26") && text.contains(" 680 "), "{text}");
        assert!(
            text.contains("lab-3") && text.contains("pool") && text.contains("2 min ago") && !text.contains('\u{1b}'),
            "{text}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&Workers { rows: vec![row.clone()], more: 1 }.document(None).json()).unwrap();
        assert_eq!((json["schema"].as_str(), json["workers"][0]["faults"].as_u64()), (Some("agon.workers/1"), Some(3)));
        // The promise of docs/schemas: each key that it requires is there.
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../../docs/schemas/workers.json")).unwrap();
        let required = schema["properties"]["workers"]["items"]["required"].as_array().unwrap();
        let is_there = |key: &serde_json::Value| json["workers"][0].get(key.as_str().unwrap()).is_some();
        assert!(required.len() > 10 && required.iter().all(is_there), "{json}");
        assert_eq!(json["more"].as_u64(), Some(1));
        let text = Workers { rows: vec![row], more: 1 }.text();
        assert!(text.contains("1 more worker that left is not listed; agon worker list --all"), "{text}");
        assert_eq!(Workers { rows: Vec::new(), more: 0 }.text(), "0 workers play, 0 matches at once\n");
    }
}
