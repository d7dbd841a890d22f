//! Simulates workers: one process imitates thousands of them, to measure the cost of an exchange and its behaviour at
//! restarts. Their moves are random and not the clients' own: the rules accept them, but as results they are forged.

use agon_abi::Layer;
use agon_crew::build;
use agon_crew::remote::{AWAY, NotReady, Presence, RemoteTerms, draw_identity, is_short, jitter, read_terms, wants};
use agon_games::{GAMES, MoveBytes, PreparedSetting, Rng, Seat, Seats, rng_from};
use agon_model::{
    Block, Ending, MachineSpeed, Match, Pairing, PlayedBlock, SeatResult, Step, Usage, client_seed, final_scores,
    opening, rank,
};
use agon_record::RunError;
use agon_record::exchange::{Claimed, Delivery, Greeting, LinkError, WorkerLink};
use agon_record::write_delivery;
use agon_tournament::rules_name;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The pause after an empty claim.
const IDLE: Duration = Duration::from_millis(500);
/// How often a pause looks for a stop.
const STEP: Duration = Duration::from_millis(20);

pub struct Simulation<'a> {
    pub workers: usize,
    /// The number of connections that they share.
    pub connections: usize,
    /// The time in which each plays a block.
    pub block: Duration,
    /// The data that each sends about itself, with a number after its name.
    pub greeting: Greeting,
    /// The time without blocks after which all end; `None` = never.
    pub idle: Option<Duration>,
    /// The flag that ends them.
    pub stop: &'a AtomicBool,
}

impl Simulation<'_> {
    /// The greeting of simulated workers of this name, which have one core and no sandbox.
    pub fn greeting(name: &str) -> Greeting {
        Greeting {
            name: name.to_owned(),
            build: build().to_owned(),
            games: GAMES.iter().map(|game| rules_name(game.facts())).collect(),
            cores: 1,
            jobs: 1,
            layers: Vec::new(),
            speed: MachineSpeed { relative: 1.0, spread: 0.0, class: "simulated".to_owned() },
            identity: draw_identity(),
        }
    }
}

#[derive(Debug, Default)]
pub struct Figures {
    /// The time of each claim.
    claims: Vec<Duration>,
    /// The number of claims that brought nothing.
    empty: u64,
    /// The time of each delivery.
    delivered: Vec<Instant>,
    refused: u64,
    /// When the last worker had come.
    complete: Option<Instant>,
    /// When the record was first away, and when the last worker had it back.
    away: Option<(Instant, Instant)>,
}

impl Figures {
    /// The text for the user: a line for each measurement.
    pub fn text(&self, workers: usize, block: Duration) -> String {
        let mut claims = self.claims.clone();
        claims.sort_unstable();
        let at = |share: f64| claims.get((claims.len() as f64 * share) as usize).copied().unwrap_or_default();
        let (rate, seconds) = self.rate(block);
        let ideal = workers as f64 / block.as_secs_f64();
        let mut text = format!(
            "{} blocks; {rate:.1} a second over {seconds:.0} s, ideally {ideal:.1}\n{} claims, {} empty: p50 {:.1} ms, \
             p99 {:.1} ms\n{} refused",
            self.delivered.len(),
            claims.len(),
            self.empty,
            1e3 * at(0.5).as_secs_f64(),
            1e3 * at(0.99).as_secs_f64(),
            self.refused
        );
        if let Some((away, back)) = self.away {
            text += &format!("\nthe record was away; all were back {:.1} s later", (back - away).as_secs_f64());
        }
        text
    }

    /// Blocks per second when all had come and were under way, and the length of that time.
    fn rate(&self, block: Duration) -> (f64, f64) {
        let Some((begin, end)) = self.complete.map(|at| at + 2 * block).zip(self.delivered.iter().max().copied())
        else {
            return (0.0, 0.0);
        };
        let seconds = end.saturating_duration_since(begin).as_secs_f64();
        let count = self.delivered.iter().filter(|at| **at > begin).count();
        (if seconds > 0.0 { count as f64 / seconds } else { 0.0 }, seconds)
    }
}

/// Opens a link to the record.
pub type OpenLink<'a> = dyn Fn() -> Result<Box<dyn WorkerLink>, String> + Sync + 'a;

/// Lets all workers claim, wait and deliver until they are stopped or no more blocks come.
pub fn simulate(simulation: &Simulation, open: &OpenLink) -> Result<Figures, RunError> {
    let (figures, waiting) = (Mutex::new(Figures::default()), Mutex::new(simulation.workers));
    let share = |thread: usize| (thread..simulation.workers).step_by(simulation.connections);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..simulation.connections)
            .map(|thread| {
                let (figures, waiting) = (&figures, &waiting);
                scope.spawn(move || {
                    let link = open().map_err(RunError::Internal)?;
                    let workers = share(thread).map(SimulatedWorker::new).collect();
                    Connection { simulation, link, workers, figures, waiting, terms: BTreeMap::new() }.run()
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(RunError::Internal("a simulated worker broke".to_owned())))
        })
    })?;
    Ok(figures.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The workers of one connection.
struct Connection<'a> {
    simulation: &'a Simulation<'a>,
    link: Box<dyn WorkerLink>,
    workers: Vec<SimulatedWorker>,
    figures: &'a Mutex<Figures>,
    /// The number of workers that have not come yet.
    waiting: &'a Mutex<usize>,
    terms: BTreeMap<i64, (RemoteTerms, Vec<Box<dyn PreparedSetting>>)>,
}

struct SimulatedWorker {
    number: usize,
    key: String,
    queue: VecDeque<Claimed>,
    /// Its block, and the end of the time for it.
    plays: Option<(Claimed, Instant)>,
    presence: Presence,
    next: Instant,
    pause: Duration,
    is_away: bool,
    busy: Instant,
}

impl SimulatedWorker {
    fn new(number: usize) -> SimulatedWorker {
        let now = Instant::now();
        // They come one after the other.
        let next = now + Duration::from_micros(500) * number as u32;
        SimulatedWorker {
            number,
            key: String::new(),
            queue: VecDeque::new(),
            plays: None,
            presence: Presence::default(),
            next,
            pause: AWAY.0,
            is_away: false,
            busy: next,
        }
    }

    fn holds(&self) -> usize {
        self.queue.len() + usize::from(self.plays.is_some())
    }
}

impl Connection<'_> {
    fn run(&mut self) -> Result<(), RunError> {
        while !self.simulation.stop.load(Ordering::Relaxed) && !self.is_idle() {
            let now = Instant::now();
            let due: Vec<usize> = (0..self.workers.len()).filter(|&at| self.workers[at].next <= now).collect();
            if due.is_empty() {
                let next = self.workers.iter().map(|worker| worker.next).min().unwrap_or(now + STEP);
                std::thread::sleep(next.saturating_duration_since(now).min(STEP));
            }
            due.into_iter().try_for_each(|at| self.act(at))?;
        }
        for at in 0..self.workers.len() {
            self.link.speak_as(&self.workers[at].key);
            let _ = self.link.leave();
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        let idle = |idle| self.workers.iter().all(|worker| worker.plays.is_none() && worker.busy.elapsed() > idle);
        self.simulation.idle.is_some_and(idle)
    }

    /// Does the due work of one worker.
    fn act(&mut self, at: usize) -> Result<(), RunError> {
        let now = Instant::now();
        let done = self.step(at);
        let worker = &mut self.workers[at];
        match done {
            Ok(next) => {
                worker.next = next;
                worker.pause = AWAY.0;
                if std::mem::take(&mut worker.is_away) {
                    self.figures().away.iter_mut().for_each(|(_, back)| *back = Instant::now());
                }
                Ok(())
            }
            Err(LinkError::Away(_)) => {
                worker.is_away = true;
                worker.next = now + jitter(worker.pause);
                worker.pause = (2 * worker.pause).min(AWAY.1);
                self.figures().away.get_or_insert((now, now));
                Ok(())
            }
            Err(LinkError::Refused(why) | LinkError::Over(why)) => Err(RunError::Internal(why)),
        }
    }

    /// Joins, delivers, reports presence and claims; returns when the worker must act again.
    fn step(&mut self, at: usize) -> Result<Instant, LinkError> {
        let now = Instant::now();
        if self.workers[at].key.is_empty() {
            let Greeting { name, .. } = &self.simulation.greeting;
            let name = format!("{name}-{}", self.workers[at].number);
            self.workers[at].key =
                self.link.greet(&Greeting { name, identity: draw_identity(), ..self.simulation.greeting.clone() })?;
            self.count_in();
        }
        self.link.speak_as(&self.workers[at].key);
        if let Some((claimed, _)) = self.workers[at].plays.clone().filter(|(_, until)| *until <= now) {
            self.deliver(at, claimed)?;
            self.workers[at].plays = None;
        }
        if self.workers[at].presence.is_report_due(now) {
            let orders = self.link.beat(self.wants())?;
            self.workers[at].presence.reported(now, orders.lease);
            self.figures().refused += orders.refusals.len() as u64;
        }
        let is_short = self.claim(at)?;
        let worker = &self.workers[at];
        let beat = worker.presence.next_report().unwrap_or(now);
        let until = worker.plays.as_ref().map_or(beat, |(_, until)| *until);
        Ok(if is_short { until.min(now + jitter(IDLE)) } else { until }.min(beat))
    }

    fn count_in(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting -= 1;
        if *waiting == 0 {
            self.figures().complete = Some(Instant::now());
        }
    }

    /// Claims missing blocks, and begins to play; returns whether it still lacks some.
    fn claim(&mut self, at: usize) -> Result<bool, LinkError> {
        let (has, wants) = (self.workers[at].holds(), self.wants());
        if is_short(has, wants) {
            let asked = Instant::now();
            let (_, claimed) = self.link.exchange(&[], wants - has, wants)?;
            let mut figures = self.figures();
            figures.claims.push(asked.elapsed());
            figures.empty += u64::from(claimed.is_empty());
            drop(figures);
            self.take(at, claimed);
        }
        let (block, worker) = (self.simulation.block, &mut self.workers[at]);
        if worker.plays.is_none() {
            worker.plays = worker.queue.pop_front().map(|claimed| (claimed, Instant::now() + block));
        }
        if worker.plays.is_some() {
            worker.busy = Instant::now();
        }
        Ok(is_short(worker.holds(), wants))
    }

    fn take(&mut self, at: usize, claimed: Vec<Claimed>) {
        let worker = &mut self.workers[at];
        if !claimed.is_empty() {
            worker.presence.exchanged(Instant::now());
        }
        worker.queue.extend(claimed);
    }

    /// The number of blocks that each would hold.
    fn wants(&self) -> usize {
        wants(1, Some(self.simulation.block))
    }

    fn deliver(&mut self, at: usize, claimed: Claimed) -> Result<(), LinkError> {
        if !self.terms.contains_key(&claimed.terms) {
            let text = self.link.terms(claimed.terms)?;
            let (terms, _, settings) = read_terms(&text, GAMES).map_err(|error| match error {
                NotReady::Declined(why) | NotReady::Lacking(why) => LinkError::Refused(why),
                NotReady::Away(why) => LinkError::Away(why),
            })?;
            self.terms.insert(claimed.terms, (terms, settings));
        }
        let (terms, settings) = &self.terms[&claimed.terms];
        let content = match claimed.block.to_block(&terms.ids).filter(|block| block.setting < settings.len()) {
            Some(block) => Ok(write_delivery(&draw_block(block, settings, terms.seed), &terms.ids)),
            None => Err("it is of somebody who does not take part".to_owned()),
        };
        let delivery = Delivery { key: self.workers[at].key.clone(), lease: claimed.lease, content };
        // It no longer holds the delivered block.
        let (has, wants) = (self.workers[at].holds() - 1, self.wants());
        let lacks = if is_short(has, wants) { wants - has } else { 0 };
        let asked = Instant::now();
        let (refusals, claimed) = self.link.exchange(&[delivery], lacks, wants)?;
        let mut figures = self.figures();
        figures.refused += refusals.len() as u64;
        figures.delivered.push(Instant::now());
        if lacks > 0 {
            figures.claims.push(asked.elapsed());
            figures.empty += u64::from(claimed.is_empty());
        }
        drop(figures);
        self.take(at, claimed);
        Ok(())
    }

    fn figures(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a block with random moves.
fn draw_block(block: Block, settings: &[Box<dyn PreparedSetting>], seed: u64) -> PlayedBlock {
    let mut rng = rng_from(&rand::random());
    let draw = |pairing: Pairing| draw_match(&block, &pairing, &*settings[block.setting], seed, &mut rng);
    let matches = block.pairings().map(draw).collect();
    PlayedBlock { block, matches }
}

fn draw_match(block: &Block, pairing: &Pairing, setting: &dyn PreparedSetting, seed: u64, rng: &mut Rng) -> Match {
    let mut state = setting.start(&opening(seed, block.opening));
    let (start, mut steps, mut ply) = (state.hash(), Vec::new(), 0);
    while !state.to_move().is_empty() {
        let moves: Vec<(Seat, MoveBytes)> =
            state.to_move().iter().map(|seat| (seat, state.sample(seat, rng))).collect();
        state.play(&moves);
        let hash = state.hash();
        let step = |(seat, mv)| Step { ply, seat, mv, by_client: true, cpu_us: 1, wall_us: 1, hash };
        steps.extend(moves.into_iter().map(step));
        ply += 1;
    }
    let faults = vec![None; pairing.seats.len()];
    let scores = final_scores(&*state, Seats::NONE);
    let results = scores.values.iter().copied().zip(rank(&scores, &faults));
    let seat = |(seat, (&entrant, (score, rank))): (Seat, (&usize, (i64, u32)))| SeatResult {
        entrant,
        seed: client_seed(block, pairing.rotation, seat),
        told_name: "simulated".to_owned(),
        score,
        rank,
        fault: None,
        notices: Vec::new(),
        layers: Layer::ALL.iter().map(|layer| layer.name().to_owned()).collect(),
        usage: Usage::default(),
    };
    Match {
        id: pairing.id.clone(),
        start,
        ending: Ending::Over,
        seats: pairing.seats.iter().zip(results).enumerate().map(seat).collect(),
        steps,
        outputs: Vec::new(),
        started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        wall_us: 1,
    }
}
