//! What a worker delivers that did not play it so: each forgery is refused in one sentence, counted against whoever
//! sent it, and nothing of it is kept.

mod database_calls;

use crate::builder;
use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, table, wait_until};
use agon_crew::remote::draw_identity;
use agon_games::{GAMES, MoveBytes};
use agon_model::{Block, Ending, EntrantId, MachineSpeed, Output, Phase, PlayedBlock, Stream};
use agon_postgres::{PostgresLink, PostgresRecord};
use agon_record::database::Roster as _;
use agon_record::exchange::{Claimed, Delivery, Greeting, WorkerLink};
use agon_record::{Archive, FoundMatch, Record, SqliteRecord, write_delivery};
use std::process::Child;

/// A ladder that waits for workers, and what one machine made of it.
struct Course {
    here: Arena,
    there: Arena,
    url: String,
    ladder: Child,
}

/// A worker that does not play.
struct Forger {
    link: PostgresLink,
    key: String,
}

impl Course {
    fn begin(cluster: &Cluster) -> Course {
        let (here, there, url) = (pairs(4), pairs(4), cluster.database());
        here.agon(["ladder", "--quiet"]).well();
        let ladder = there.start(["ladder", "--quiet", "--jobs", "0", "--lease", "2", "--record", &url]);
        Course { here, there, url, ladder }
    }

    /// A worker, as soon as there is something to claim: with a block.
    fn forger(&self, name: &str) -> (Forger, Claimed) {
        let mut link = PostgresLink::new(&self.url).unwrap();
        let mut key = String::new();
        wait_until("the record is made", || link.greet(&greeting(name)).map(|made| key = made).is_ok());
        let mut claimed = Vec::new();
        wait_until("there is a block", || {
            claimed = link.exchange(&[], 1, 1).unwrap().1;
            !claimed.is_empty()
        });
        (Forger { link, key }, claimed.remove(0))
    }

    /// What really came of a block.
    fn played(&self, claimed: &Claimed) -> (PlayedBlock, Vec<EntrantId>) {
        let ids: Vec<EntrantId> = {
            let record = PostgresRecord::open(&self.url).unwrap();
            let row = record.ladder("pairs").unwrap().unwrap();
            record.members(row.id).unwrap().iter().map(|member| member.id).collect()
        };
        let block: Block = claimed.block.to_block(&ids).unwrap();
        let store = SqliteRecord::open_existing(&self.here.path("agon-out")).unwrap();
        let find = |id: String| match store.find(&id).unwrap() {
            FoundMatch::One(stored) => stored.played,
            _ => panic!("{id} is not there"),
        };
        let matches = block.pairings().map(|pairing| find(pairing.id)).collect();
        (PlayedBlock { block, matches }, ids)
    }

    /// What is counted against a worker: faults, late ones, and the last sentence.
    fn against(&self, name: &str) -> (u64, u64, String) {
        let rows = PostgresRecord::open(&self.url).unwrap().workers().unwrap();
        let row = rows.into_iter().find(|row| row.name == name).unwrap();
        (row.faults, row.late, row.why.unwrap_or_default())
    }

    fn kept(&self) -> u64 {
        let record = PostgresRecord::open(&self.url).unwrap();
        let row = record.ladder("pairs").unwrap().unwrap();
        record.count_blocks(row.id).unwrap()
    }

    /// An honest worker plays the rest, and the table is the one of one machine.
    fn end(self) {
        let mut worker =
            self.there.start(["worker", "run", &self.url, "--jobs", "1", "--name", "honest", "--cache", "honest"]);
        let ended = builder::finish(self.ladder);
        worker.kill().unwrap();
        worker.wait().unwrap();
        assert_eq!(ended.well().stdout, table(&self.here));
    }
}

impl Forger {
    fn deliver(&mut self, claimed: &Claimed, content: &str) -> Vec<String> {
        let (key, lease) = (self.key.clone(), claimed.lease.clone());
        self.link.exchange(&[Delivery { key, lease, content: Ok(content.to_owned()) }], 0, 1).unwrap().0
    }
}

fn greeting(name: &str) -> Greeting {
    let rules = |facts: &agon_games::Facts| format!("{} rules {}", facts.name, facts.rules_version);
    let games = GAMES.iter().map(|game| rules(game.facts())).collect();
    Greeting {
        name: name.to_owned(),
        build: "0".to_owned(),
        games,
        cores: 2,
        jobs: 1,
        layers: Vec::new(),
        speed: MachineSpeed { relative: 1.0, ..MachineSpeed::default() },
        identity: draw_identity(),
    }
}

/// What is done to a block that was played.
type Forgery = (&'static str, &'static str, fn(&mut PlayedBlock));

/// Name, what the sentence says, how it is done.
const FORGERIES: [Forgery; 11] = [
    ("winner", "other ranks or scores than the rules", |played| {
        let seats = &mut played.matches[0].seats;
        let (first, second) = (seats[0].clone(), seats[1].clone());
        (seats[0].rank, seats[0].score) = (second.rank, second.score);
        (seats[1].rank, seats[1].score) = (first.rank, first.score);
    }),
    ("move", "these rules", |played| {
        let step = &mut played.matches[1].steps[2];
        let bytes: Vec<u8> = step.mv.as_slice().iter().map(|byte| byte ^ 1).collect();
        step.mv = MoveBytes::new(&bytes);
    }),
    ("hash", "come to another state after turn", |played| played.matches[0].steps[1].hash ^= 1),
    ("start", "begins with another state", |played| played.matches[0].start = 0),
    ("cut", "by the rules it is not over", |played| {
        played.matches[0].steps.pop();
    }),
    ("agreed", "ended by what both clients said, which they did not", |played| {
        let one = &mut played.matches[0];
        one.steps.truncate(1);
        one.outputs.clear();
        one.ending = Ending::Adjudicated;
        for (seat, result) in one.seats.iter_mut().enumerate() {
            (result.rank, result.score, result.fault) = (1 + seat as u32, 1 - seat as i64, None);
            result.notices.clear();
        }
    }),
    ("seat", "somebody else sits on seat", |played| played.matches[0].seats.reverse()),
    ("seed", "another seed than it is given", |played| played.matches[0].seats[0].seed ^= 1),
    ("layers", "layer", |played| played.matches[0].seats[0].layers = vec!["all of them".to_owned()]),
    ("absent", "somebody moved for seat", |played| played.matches[0].steps[0].by_client = false),
    ("flood", "bytes of stdout, and a match keeps at most", |played| {
        let (phase, stream, text) = (Phase::Play, Stream::Stdout, "flood".repeat(50_000));
        played.matches[0].outputs.push(Output { seat: 1, phase, ply: 0, stream, text });
    }),
];

#[test]
fn a_forged_result_is_refused_and_counted_and_not_kept() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    for (name, sentence, forge) in FORGERIES {
        let (mut forger, claimed) = course.forger(name);
        let (mut played, ids) = course.played(&claimed);
        forge(&mut played);
        assert_eq!(forger.deliver(&claimed, &write_delivery(&played, &ids)), [""; 0], "{name} is seen later");
        wait_until(&format!("{name} is judged"), || course.against(name).0 == 1);
        let (.., why) = course.against(name);
        assert!(why.contains(sentence) && why.starts_with(&format!("block {}: ", claimed.block.id)), "{name}: {why}");
        assert_eq!(forger.link.beat(1).unwrap().refusals, [why], "it is told");
        assert_eq!(course.kept(), 0, "{name}");
        forger.link.leave().unwrap();
    }
    course.end();
}

#[test]
fn what_is_no_delivery_is_refused_at_once_or_when_it_is_read() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    let (mut garbler, claimed) = course.forger("garbler");
    assert_eq!(garbler.deliver(&claimed, "[{\"id\": \u{1b}"), [""; 0]);
    wait_until("it is judged", || course.against("garbler").0 == 1);
    assert!(course.against("garbler").2.contains("it cannot be read"), "{:?}", course.against("garbler"));
    garbler.link.leave().unwrap();

    let (mut large, claimed) = course.forger("large");
    let refused = large.deliver(&claimed, &" ".repeat((1 << 20) + 1));
    assert!(refused[0].contains("has more than 1 MiB"), "{refused:?}");
    large.link.leave().unwrap();

    // Somebody else's block, and one of nobody.
    let (mut owner, claimed) = course.forger("owner");
    let (played, ids) = course.played(&claimed);
    let whole = write_delivery(&played, &ids);
    let mut thief = PostgresLink::new(&course.url).unwrap();
    let key = thief.greet(&greeting("thief")).unwrap();
    let mut thief = Forger { link: thief, key };
    assert!(thief.deliver(&claimed, &whole)[0].contains("was never leased to this worker"));
    let mut odd = claimed.clone();
    odd.lease.block = "'; DROP TABLE agon.block; --".to_owned();
    assert!(thief.deliver(&odd, &whole)[0].contains("was never leased to this worker"));
    assert_eq!(course.against("thief").0, 2);
    thief.link.leave().unwrap();

    // The same twice: the first counts, whoever plays on, and whatever the clock of its machine shows.
    let mut early = played;
    early.matches.iter_mut().for_each(|one| one.started -= 3600);
    assert_eq!(owner.deliver(&claimed, &write_delivery(&early, &ids)), [""; 0]);
    assert!(owner.deliver(&claimed, &whole)[0].contains("was delivered before"));
    wait_until("it is kept", || course.kept() == 1);
    assert!(owner.deliver(&claimed, &whole)[0].contains("was delivered before"));
    assert_eq!((course.kept(), course.against("owner").0, course.against("owner").1), (1, 0, 2));
    owner.link.leave().unwrap();

    // An old lease, after another worker has the block: it is open still, and the first delivery counts.
    let (mut slow, claimed) = course.forger("slow");
    let (played, ids) = course.played(&claimed);
    let mut others = Vec::new();
    let mut taken = None;
    wait_until("its lease is over and its block is given away", || {
        let (mut other, given) = course.forger("quick");
        let is_it = given.block.id == claimed.block.id;
        if is_it {
            taken = Some(given);
            others.push(other)
        } else {
            other.link.leave().unwrap()
        }
        is_it
    });
    let whole = write_delivery(&played, &ids);
    assert_eq!(slow.deliver(&claimed, &whole), [""; 0]);
    let second = others[0].deliver(&taken.unwrap(), &whole);
    assert!(second[0].contains("was delivered before"), "{second:?}");
    wait_until("it is kept", || course.kept() == 2);
    assert_eq!((course.against("slow").0, course.against("slow").1), (0, 0));
    others.iter_mut().for_each(|other| other.link.leave().unwrap());
    slow.link.leave().unwrap();
    course.end();
}
