//! What a block costs the database: processor time of the sessions of workers that deliver and claim, beside that of as
//! many that insert the same bytes and nothing else, each session in its turn. `cargo test --release -p agon-machines
//! exchange_cost:: -- --ignored --nocapture`; on one core, which tells the least by chance: `taskset -c 1` before it.

use crate::cluster::Cluster;
use crate::hands::{Worker, begin, offers};
use agon_postgres::PostgresExchange;
use agon_record::exchange::{DeliveryVerdict, Exchange, Settled};
use postgres::{Client, NoTls, Statement};
use std::time::Duration;

/// Bytes of two matches of Amazons of 75 turns.
const BYTES: usize = 8_400;
/// Blocks on the exchange at a time, and looks of the coordinator at what was delivered.
const WINDOW: u64 = 1_000;
const LOOK: usize = 50;
const ROUNDS: usize = 9;

/// Workers and their coordinator.
struct Traffic {
    exchange: PostgresExchange,
    workers: Vec<Worker>,
    /// The processes of their sessions.
    sessions: Vec<i32>,
    offered: u64,
}

impl Traffic {
    fn begin(url: &str, owner: &mut Client, workers: usize) -> Traffic {
        let (_, exchange) = begin(url, Duration::from_secs(3600));
        let mut workers: Vec<Worker> = (0..workers).map(|number| Worker::come(url, &format!("lab{number}"))).collect();
        workers.iter_mut().for_each(|worker| worker.content = "x".repeat(BYTES));
        let select = "SELECT pid FROM pg_stat_activity WHERE application_name = 'agon worker'
            AND datname = current_database()";
        let sessions = owner.query(select, &[]).unwrap().iter().map(|row| row.get(0)).collect();
        Traffic { exchange, workers, sessions, offered: 0 }
    }

    /// Microseconds of processor time a block of the workers' sessions, for a window of blocks: each worker holds some,
    /// and hands them in and claims as many, again and again.
    fn play(&mut self, batch: usize) -> f64 {
        let all = WINDOW + (batch * self.workers.len()) as u64;
        self.exchange.offer(&offers(self.offered..self.offered + all)).unwrap();
        self.offered += all;
        self.workers.iter_mut().for_each(|worker| assert_eq!(worker.claim(batch), batch));
        let (before, mut played) = (all_spent(&self.sessions), 0);
        while played < WINDOW as usize {
            let turn = played / batch % self.workers.len();
            let worker = &mut self.workers[turn];
            assert_eq!(worker.exchange(batch), [""; 0]);
            assert_eq!(worker.holds.len(), batch);
            played += batch;
            if played % LOOK.max(batch) == 0 {
                self.settle();
            }
        }
        let spent = all_spent(&self.sessions) - before;
        self.workers.iter_mut().for_each(|worker| assert_eq!(worker.deliver(batch), [""; 0]));
        self.settle();
        spent / WINDOW as f64
    }

    fn settle(&mut self) {
        let delivered = self.exchange.deliveries().unwrap();
        let kept = |one: agon_record::exchange::Delivered| Settled {
            id: one.id,
            worker: one.worker,
            verdict: DeliveryVerdict::Kept,
        };
        self.exchange.settle(&delivered.into_iter().map(kept).collect::<Vec<_>>(), &[]).unwrap();
    }
}

/// Microseconds of processor time of a process.
fn spent(process: i32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e3
}

fn all_spent(processes: &[i32]) -> f64 {
    processes.iter().map(|process| spent(*process)).sum()
}

/// Sessions that insert rows of the same bytes.
struct Bare {
    clients: Vec<(Client, Statement)>,
    sessions: Vec<i32>,
}

impl Bare {
    fn begin(url: &str, owner: &mut Client, sessions: usize) -> Bare {
        let table = "CREATE TABLE bare (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content text);
            ALTER TABLE bare ALTER content SET STORAGE EXTERNAL";
        owner.batch_execute(table).unwrap();
        let open = |_| {
            let mut client = Client::connect(url, NoTls).unwrap();
            client.batch_execute("SET synchronous_commit = off").unwrap();
            let process: i32 = client.query_one("SELECT pg_backend_pid()", &[]).unwrap().get(0);
            let insert = client.prepare("INSERT INTO bare (content) VALUES ($1)").unwrap();
            ((client, insert), process)
        };
        let (clients, sessions): (Vec<_>, Vec<i32>) = (0..sessions).map(open).unzip();
        Bare { clients, sessions }
    }

    /// Microseconds a row.
    fn insert(&mut self) -> f64 {
        self.clients[0].0.batch_execute("TRUNCATE bare").unwrap();
        let (text, before) = ("x".repeat(BYTES), all_spent(&self.sessions));
        for turn in 0..WINDOW as usize {
            let many = self.clients.len();
            let (client, insert) = &mut self.clients[turn % many];
            client.execute(&*insert, &[&text]).unwrap();
        }
        (all_spent(&self.sessions) - before) / WINDOW as f64
    }
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

#[test]
#[ignore = "a benchmark: a minute"]
fn claim_and_delivery_beside_an_insert_of_the_same_bytes() {
    let Some(cluster) = Cluster::own() else { return };
    for sessions in [1, 8] {
        let url = cluster.database();
        let mut owner = Client::connect(&url, NoTls).unwrap();
        let mut traffic = Traffic::begin(&url, &mut owner, sessions);
        let mut bare = Bare::begin(&url, &mut owner, sessions);
        let mut inserts = Vec::new();
        let mut played = [1, 10, 100].map(|batch| (batch, Vec::new()));
        for _ in 0..ROUNDS {
            inserts.push(bare.insert());
            played.iter_mut().for_each(|(batch, costs)| costs.push(traffic.play(*batch)));
        }
        let insert = median(inserts);
        println!("over {sessions} sessions, a bare INSERT: {insert:.0} us");
        for (batch, costs) in played {
            let cost = median(costs);
            println!("over {sessions} sessions, by {batch}: {cost:.0} us a block, {:.2} times as much", cost / insert);
        }
    }
}

#[test]
#[ignore = "a benchmark: some minutes"]
fn claims_and_deliveries_while_somebody_looks_at_the_record_for_long() {
    let Some(cluster) = Cluster::own() else { return };
    for batch in [1, 10] {
        let mut costs = [false, true].map(|is_watched| {
            let url = cluster.database();
            let (mut owner, mut watcher) =
                (Client::connect(&url, NoTls).unwrap(), Client::connect(&url, NoTls).unwrap());
            let mut traffic = Traffic::begin(&url, &mut owner, 1);
            traffic.play(batch);
            if is_watched {
                watcher.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM agon.worker").unwrap();
            }
            (0..50).map(|_| traffic.play(batch)).collect::<Vec<f64>>()
        });
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let all = costs.each_ref().map(|costs| mean(costs));
        let last = costs.each_mut().map(|costs| mean(&costs[40..]));
        println!(
            "by {batch}, over 50,000 blocks: {:.0} us a block, while a snapshot is held {:.0}: {:.2} times as much; of \
             the last 10,000 {:.0} and {:.0}: {:.2}",
            all[0],
            all[1],
            all[1] / all[0],
            last[0],
            last[1],
            last[1] / last[0]
        );
    }
}
