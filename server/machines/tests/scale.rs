//! A record of 1,000 clients and millions of invented matches: how fast blocks are appended, at the beginning and at
//! the end, and how long the table, the list of matches and one match take, in what memory. `AGON_SCALE` is the number
//! of matches.

use crate::builder::Arena;
use agon_games::MoveBytes;
use agon_model::*;
use agon_postgres::PostgresRecord;
use agon_record::database::is_url;
use agon_record::{EncodedBlock, Record, SqliteRecord};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const CLIENTS: usize = 1_000;
/// Blocks that are written in one transaction.
const BUNDLE: u64 = 64;
/// Turns of a match.
const TURNS: u32 = 8;

/// `cargo test --release -p agon-machines scale:: -- --ignored --nocapture`, with `AGON_SCALE=10000000` for ten million
/// matches (16 GB). With `AGON_SCALE_DIR=DIR` the record is made there, and left there for other commands; it may be
/// `postgres://…`.
#[test]
#[ignore = "takes minutes and gigabytes; prints figures"]
fn a_large_record_is_as_fast_as_a_small_one() {
    let matches: u64 = std::env::var("AGON_SCALE").map_or(200_000, |text| text.parse().unwrap());
    let arena = Arena::new();
    let kept = std::env::var_os("AGON_SCALE_DIR").map(std::path::PathBuf::from);
    let out = kept.clone().unwrap_or_else(|| arena.path("agon-out"));
    let url = out.to_str().filter(|text| is_url(text));
    let rates = match url {
        Some(url) => fill(&mut PostgresRecord::open(url).unwrap(), matches / 2),
        None => fill(&mut SqliteRecord::open(&out).unwrap(), matches / 2),
    };
    println!("append, matches a second, by tenths: {rates:?}");
    if url.is_some() {
        return;
    }
    let size = std::fs::metadata(out.join("record.sqlite")).unwrap().len();
    println!("record: {:.2} GB, {} bytes a match", size as f64 / 1e9, size / matches);
    if kept.is_some() {
        return;
    }
    let id = format!("{}-b", block_id(matches / 3));
    for (what, words) in [
        ("table", vec!["standings", "--json"]),
        ("ratings", vec!["standings", "--ratings", "--json"]),
        ("last 20 matches", vec!["matches", "--limit", "20"]),
        ("last 20 of a client", vec!["matches", "--limit", "20", "--client", "client 7"]),
        ("one match by its id", vec!["show", &id, "--json"]),
        ("one by nine digits", vec!["show", &id[..9], "--json"]),
        ("ids that begin with one digit", vec!["show", "3"]),
        ("the last one", vec!["show", "last", "--json"]),
        ("an export as CSV", vec!["record", "export", "csv"]),
    ] {
        let (seconds, cpu, peak) = run(&arena, &words);
        println!("{what}: {seconds:.2} s, of which {cpu:.2} s of processor time, {peak} MiB");
    }
    let (first, last) = (rates[0], rates[rates.len() - 1]);
    assert!(last * 2 > first, "appending slows down: {rates:?}");
}

/// Appends so many blocks of two matches; the rate of each tenth.
fn fill(record: &mut dyn Record, blocks: u64) -> Vec<u64> {
    let row = record.begin_ladder(&ladder()).unwrap();
    let mut entrants: Vec<Entrant> = (0..CLIENTS).map(entrant).collect();
    let ids = record.keep_entrants(row.id, &mut entrants).unwrap().ids;
    let mut rates = Vec::new();
    for tenth in 0..10 {
        let (from, to) = (blocks * tenth / 10, blocks * (tenth + 1) / 10);
        let mut spent = Duration::ZERO;
        for first in (from..to).step_by(BUNDLE as usize) {
            let played = (first..to.min(first + BUNDLE)).map(block);
            let bundle: Vec<_> = played.map(|played| EncodedBlock::new(row.id, &played, &ids)).collect();
            let began = Instant::now();
            record.keep_blocks(&bundle.iter().collect::<Vec<_>>()).unwrap();
            spent += began.elapsed();
        }
        rates.push((2.0 * (to - from) as f64 / spent.as_secs_f64()) as u64);
    }
    rates
}

fn ladder() -> LadderRow {
    LadderRow {
        id: LadderId(0),
        name: "large".to_owned(),
        game: "amazons".to_owned(),
        seats: 2,
        seed: 1,
        seed_drawn: false,
        terms: vec![("game".to_owned(), "amazons rules 2".to_owned())].into(),
        settings: vec![("square:5".to_owned(), BTreeMap::from([("board".to_owned(), "square:5".to_owned())]))],
    }
}

fn entrant(number: usize) -> Entrant {
    let label = format!("client {number}");
    Entrant {
        file: format!("{label}.so"),
        label,
        hash: format!("{number:064x}"),
        options: BTreeMap::new(),
        refused: None,
    }
}

/// Sixteen hex digits that say nothing about their order, as those of hashes.
fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)
}

fn block_id(number: u64) -> String {
    format!("{:016x}", mix(number + 1))
}

fn block(number: u64) -> PlayedBlock {
    let id = block_id(number);
    let a = (mix(number) % CLIENTS as u64) as usize;
    let b = (a + 1 + (mix(number + 77) % (CLIENTS as u64 - 1)) as usize) % CLIENTS;
    let matches = vec![one(format!("{id}-a"), [a, b], number), one(format!("{id}-b"), [b, a], number + 1)];
    let lineup = vec![a, b];
    let block = Block { id, number, lineup, rotations: 2, setting: 0, opening: number / 500_000, client_seed: [0; 32] };
    PlayedBlock { block, matches }
}

fn one(id: String, entrants: [usize; 2], chance: u64) -> Match {
    // The client with the lower number is a little better.
    let first_wins = mix(chance) % 100 < if entrants[0] < entrants[1] { 60 } else { 40 };
    let faulty = mix(chance + 5).is_multiple_of(50);
    let seat = |seat: usize| {
        let wins = (seat == 0) == first_wins;
        let fault = Fault {
            kind: FaultKind::CpuTime,
            phase: Phase::Play,
            ply: TURNS,
            message: "1.2 s of processor time, allowed is 1 s; help: look at the clock".to_owned(),
            raw: String::new(),
        };
        SeatResult {
            entrant: entrants[seat],
            seed: mix(chance + seat as u64),
            told_name: format!("client {}", entrants[seat]),
            score: i64::from(wins),
            rank: if wins { 1 } else { 2 },
            fault: (faulty && !wins).then_some(fault),
            notices: Vec::new(),
            layers: ["limits", "privileges", "landlock", "seccomp"].map(str::to_owned).to_vec(),
            usage: Usage { play_cpu_us: 12_345, play_wall_us: 23_456, memory: 7_340_032, ..Usage::default() },
        }
    };
    let step = |ply: u32| Step {
        ply,
        seat: ply as usize % 2,
        mv: MoveBytes::new(&mix(chance << 8 | u64::from(ply)).to_le_bytes()),
        by_client: true,
        cpu_us: 100,
        wall_us: 120,
        hash: mix(chance + u64::from(ply)),
    };
    Match {
        start: 0,
        id,
        ending: if faulty { Ending::Fault } else { Ending::Over },
        seats: vec![seat(0), seat(1)],
        steps: (0..TURNS).map(step).collect(),
        outputs: Vec::new(),
        started: 1_790_000_000,
        wall_us: 12_345,
    }
}

/// Runs a command: seconds, those of the processor, and the most resident memory in MiB, as they are seen every 2 ms.
fn run(arena: &Arena, words: &[&str]) -> (f64, f64, u64) {
    let began = Instant::now();
    let mut child =
        arena.command(words).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let (status, stat) = (format!("/proc/{}/status", child.id()), format!("/proc/{}/stat", child.id()));
    let (mut peak, mut ticks) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let seen = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = seen.unwrap_or(0).max(peak);
        let text = std::fs::read_to_string(&stat).unwrap_or_default();
        let fields: Vec<u64> =
            text.split_whitespace().skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
        ticks = ticks.max(fields.iter().sum());
        std::thread::sleep(Duration::from_millis(2));
    }
    (began.elapsed().as_secs_f64(), ticks as f64 / 100.0, peak >> 10)
}
