//! What a worker delivers that did not play it so: each forgery is refused in one sentence, counted against whoever
//! sent it, and nothing of it is kept.

use crate::builder;
use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::held::{pairs, table, wait_until};
use agon_crew::remote::draw_identity;
use agon_games::{GAMES, MoveBytes};
use agon_model::{Block, Ending, MachineSpeed, Output, Phase, PlayedBlock, Stream};
use agon_postgres::{PostgresLink, PostgresRecord};
use agon_record::board::{Claimed, Delivery, Greeting, Link, LinkError};
use agon_record::database::Roster as _;
use agon_record::{Found, Record, Store, write_delivery};
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
    fn played(&self, claimed: &Claimed) -> (PlayedBlock, Vec<i64>) {
        let ids: Vec<i64> = {
            let record = PostgresRecord::open(&self.url).unwrap();
            let row = record.ladder("pairs").unwrap().unwrap();
            record.members(row.id).unwrap().iter().map(|member| member.id).collect()
        };
        let block: Block = claimed.block.to_block(&ids).unwrap();
        let store = Store::open_existing(&self.here.path("agon-out")).unwrap();
        let find = |id: String| match store.find(&id).unwrap() {
            Found::One(stored) => stored.played,
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
    ("rungs", "layer", |played| played.matches[0].seats[0].layers = vec!["all of them".to_owned()]),
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

#[test]
fn a_worker_may_call_its_functions_and_nothing_else() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    let (mut known, _claimed) = course.forger("known");
    known.link.leave().unwrap();
    for name in ["", "x'; DROP TABLE agon.block; --", "a b", "\u{1b}[2J", &"n".repeat(64)] {
        let refused = known.link.greet(&greeting(name)).unwrap_err();
        assert!(matches!(&refused, LinkError::Refused(why) if why.contains("a worker is called by")), "{refused:?}");
    }
    let invited = course.there.agon(["worker", "invite", "lab-7", "--record", &course.url]).well().stdout;
    assert!(invited.starts_with("agon worker run 'postgres://agon_lab-7:") && invited.ends_with("'\n"), "{invited}");
    let url = course.url.replace("user=agon", "user=agon_lab-7");
    let mut guest = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    for denied in [
        "SELECT * FROM agon.block",
        "SELECT key FROM agon.worker",
        "SELECT secret FROM agon.secret",
        "DELETE FROM agon.inbox",
        "UPDATE agon.worker SET faults = 0",
        "INSERT INTO agon.ban VALUES ('x')",
        "CREATE TABLE agon.mine (x integer)",
        "CREATE TEMP TABLE mine (x integer)",
        "SELECT agon.blame(1, 'x', 1)",
        "SELECT agon.party_of('x', 'y')",
        "SELECT agon.proof_by(gen_random_uuid(), 1, 'x', 1, 1)",
        "SELECT agon.known(gen_random_uuid())",
        "SELECT agon.deliver_one(NULL, 1, 'x', 1, 'x', 'x', NULL)",
    ] {
        let error = guest.batch_execute(denied).unwrap_err();
        assert_eq!(error.code(), Some(&postgres::error::SqlState::INSUFFICIENT_PRIVILEGE), "{denied}: {error}");
    }
    let odd = ["NULL", "gen_random_uuid()"];
    for key in odd {
        for call in [
            "worker_exchange(KEY, NULL, NULL, NULL, NULL, NULL, NULL, -1, 2147483647)",
            "worker_exchange(KEY, '{1}', '{x}', '{1}', '{x}', '{x}', '{x}', 0, 1)",
            "worker_exchange(KEY, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
            "worker_beat(KEY, NULL)",
            "worker_terms(KEY, NULL)",
            "worker_file_part(KEY, '../../etc/passwd', -1)",
            "worker_release(KEY, '{1,NULL}')",
            "worker_decline(KEY, -1, repeat('x', 100000))",
            "worker_lack(KEY, '{1,NULL}', repeat('x', 100000))",
            "worker_leave(KEY)",
        ] {
            let call = format!("SELECT agon.{}", call.replace("KEY", key));
            let error = guest.batch_execute(&call).unwrap_err();
            assert_eq!(error.code().map(|code| code.code()), Some("AG001"), "{call}: {error}");
        }
    }
    let hello = "SELECT agon.worker_hello(5, 'x', 'x', '{}', 1, 1, '{}', repeat('k', 32))";
    let error = guest.batch_execute(hello).unwrap_err();
    assert!(error.as_db_error().unwrap().message().contains("speaks protocol 5, the record 4"), "{error}");
    course.end();
}

#[test]
fn who_was_invited_and_is_banned_comes_under_no_name() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    let workers = |words: [&str; 2]| course.there.agon(["worker", words[0], words[1], "--record", &course.url]);
    workers(["invite", "hall"]).well();
    let url = course.url.replace("user=agon", "user=agon_hall");
    let mut guest = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let keyed = |name: &str, key: char| {
        format!("SELECT agon.worker_hello(4, '{name}', 'agon 1', '{{}}', 1, 1, '{{}}', repeat('{key}', 32))")
    };
    let hello = |name: &str| keyed(name, 'k');
    // One of those who have the line, under whatever name.
    guest.batch_execute(&keyed("bad", 'b')).unwrap();
    workers(["ban", "bad"]).well();
    let error = guest.batch_execute(&keyed("good", 'b')).unwrap_err();
    assert!(error.as_db_error().unwrap().message().contains("worker good is banned here"), "{error}");
    guest.batch_execute(&hello("first")).unwrap();
    // All of them.
    workers(["ban", "hall"]).well();
    assert!(guest.batch_execute(&hello("second")).is_err() && guest.is_closed(), "its session is ended");
    // Of a session that this user may not end.
    let mut guest = postgres::Client::connect(&course.url, postgres::NoTls).unwrap();
    guest.batch_execute("SET SESSION AUTHORIZATION agon_hall").unwrap();
    let error = guest.batch_execute(&hello("second")).unwrap_err();
    assert!(error.as_db_error().unwrap().message().contains("worker second is banned here"), "{error}");
    assert!(postgres::Client::connect(&url, postgres::NoTls).is_err(), "its role may not come again");
    workers(["invite", "hall"]).well();
    let mut guest = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    guest.batch_execute(&hello("third")).unwrap();

    let mut owner = postgres::Client::connect(&course.url, postgres::NoTls).unwrap();
    owner.batch_execute("CREATE ROLE agon_backup NOLOGIN").unwrap();
    for taken in ["backup", "Hall"] {
        let refused = workers(["invite", taken]);
        assert!(refused.stderr.contains("that was not made by an invitation of"), "{refused:?}");
        assert_ne!(refused.status, Some(0));
    }
    owner.batch_execute("DROP ROLE agon_backup").unwrap();
    course.end();
}

/// The session of somebody who was invited, with a role of its own.
fn guest(course: &Course, name: &str) -> postgres::Client {
    course.there.agon(["worker", "invite", name, "--record", &course.url]).well();
    let url = course.url.replace("user=agon", &format!("user=agon_{name}"));
    postgres::Client::connect(&url, postgres::NoTls).unwrap()
}

/// Instead of the columns of deliveries.
const NOTHING: &str = "NULL, NULL, NULL, NULL, NULL, NULL";

/// What a worker that plays everything says first.
fn hello(name: &str) -> String {
    let games = greeting(name).games.join("\",\"");
    let key = draw_identity();
    format!("SELECT agon.worker_hello(4, '{name}', 'agon 1', '{{\"{games}\"}}', 2, 1, '{{}}', '{key}')::text")
}

fn ask(session: &mut postgres::Client, question: &str) -> String {
    session.query_one(question, &[]).unwrap().get::<_, Option<String>>(0).unwrap_or_default()
}

impl Course {
    /// Waits until somebody may be invited.
    fn wait(&self) {
        let is_made = || PostgresRecord::open(&self.url).is_ok_and(|record| record.workers().is_ok());
        wait_until("the record is made", is_made);
    }

    fn owner(&self) -> postgres::Client {
        postgres::Client::connect(&self.url, postgres::NoTls).unwrap()
    }
}

#[test]
fn who_keeps_rows_locked_is_sent_away() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    course.wait();
    let (mut player, mut watcher) = (guest(&course, "a"), guest(&course, "b"));
    let key = ask(&mut player, &hello("player"));
    let claim = format!(
        "SELECT concat_ws(',', block, ladder, lease, proof) FROM agon.worker_exchange('{key}', {NOTHING}, 1, 1)"
    );
    let mut claimed = Vec::new();
    wait_until("there is a block", || {
        claimed = player.query(&claim, &[]).unwrap();
        !claimed.is_empty()
    });
    let claimed: String = claimed[0].get(0);
    let parts: Vec<&str> = claimed.split(',').collect();
    let [id, ladder, lease, proof] = parts[..] else { panic!("{claimed}") };
    // It hands in what is none, and keeps its row locked from then on: the refusal cannot be counted meanwhile.
    let beat = format!("SELECT agon.worker_beat('{key}', 1)");
    let deliver = format!("agon.worker_exchange('{key}', '{{{ladder}}}', '{{{id}}}', '{{{lease}}}', '{{{proof}}}'");
    let sits = format!("BEGIN; SELECT {deliver}, '{{nothing}}', '{{NULL}}', 0, 1); COMMIT AND CHAIN; {beat}");
    player.batch_execute(&sits).unwrap();
    watcher.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1").unwrap();
    wait_until("it is counted all the same", || course.against("player").0 == 1);
    assert!(player.batch_execute("SELECT 1").is_err(), "its session is ended");
    wait_until("nobody holds a snapshot", || watcher.batch_execute("SELECT 1").is_err());
    course.owner().batch_execute("UPDATE agon.worker SET state = 'gone' WHERE name = 'player'").unwrap();
    course.end();
}

#[test]
fn nobody_takes_or_comes_without_end() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    course.wait();
    let (mut flood, mut owner) = (guest(&course, "flood"), course.owner());
    let key = ask(&mut flood, &hello("greedy"));
    wait_until("blocks are offered", || {
        !owner.query("SELECT 1 FROM agon.offer WHERE worker IS NULL LIMIT 1", &[]).unwrap().is_empty()
    });
    let more = "INSERT INTO agon.offer (ladder, id, holder, terms, content) SELECT ladder, 'more' || n, holder, terms,
        content FROM (SELECT * FROM agon.offer LIMIT 1) AS one, generate_series(1, 1500) AS n";
    owner.batch_execute(more).unwrap();
    let claim = format!("SELECT count(*)::text FROM agon.worker_exchange('{key}', {NOTHING}, 2147483647, 2147483647)");
    let took: Vec<u32> = (0..6).map(|_| ask(&mut flood, &claim).parse().unwrap()).collect();
    assert_eq!((took[0], took.iter().sum::<u32>()), (256, 1024), "{took:?}");
    flood.batch_execute(&format!("SELECT agon.worker_leave('{key}')")).unwrap();
    owner.batch_execute("DELETE FROM agon.offer WHERE id LIKE 'more%'").unwrap();
    // In parts, since the server ends a guest that keeps a transaction open for long.
    for _ in 0..27 {
        flood.batch_execute(&format!("{} FROM generate_series(1, 37)", hello("again"))).unwrap();
    }
    let error = flood.batch_execute(&hello("again")).unwrap_err();
    assert!(error.as_db_error().unwrap().message().contains("a thousand workers came as agon_flood"), "{error}");
    owner.batch_execute("UPDATE agon.worker SET state = 'gone' WHERE role = 'agon_flood'").unwrap();
    course.end();
}

/// Values of a type, ordinary and odd.
fn odd_values(kind: &str) -> [&'static str; 6] {
    match kind {
        "integer" | "bigint" => ["NULL", "0", "1", "-1", "2147483647", "-2147483648"],
        "double precision" => ["NULL", "0", "'NaN'", "'Infinity'", "-1", "1e308"],
        "text" => ["NULL", "''", "'lab'", "'''; DROP TABLE agon.block; --'", "E'\\u001b[2J'", "repeat('x', 100000)"],
        "text[]" => ["NULL", "'{}'", "'{NULL}'", "'{x,y}'", "'{{x},{y}}'", "array_fill('x'::text, ARRAY[300])"],
        "bigint[]" => ["NULL", "'{}'", "'{NULL}'", "'{1,-1}'", "'{{1},{2}}'", "array_fill(1::bigint, ARRAY[300])"],
        _ => panic!("no values of type {kind} are known: name some here"),
    }
}

#[test]
fn fuzzed_calls_of_each_function_are_answered_or_refused_in_a_sentence() {
    let Some(cluster) = Cluster::shared() else { return };
    let course = Course::begin(cluster);
    course.wait();
    let (mut guest, mut owner) = (guest(&course, "fuzz"), course.owner());
    let functions = "SELECT proname::text, array(SELECT format_type(t, NULL) FROM unnest(proargtypes) AS t)
        FROM pg_proc WHERE pronamespace = 'agon'::regnamespace AND starts_with(proname, 'worker_') ORDER BY 1";
    let functions = guest.query(functions, &[]).unwrap();
    assert!(functions.len() >= 9, "{}", functions.len());
    for row in functions {
        let (function, kinds): (String, Vec<String>) = (row.get(0), row.get(1));
        for round in 0..60usize {
            // Behind a key that is known in every second call; three refusals would be its last.
            owner.batch_execute("UPDATE agon.worker SET strikes = 0").unwrap();
            let key = if round % 2 == 0 { format!("'{}'", ask(&mut guest, &hello("fuzz"))) } else { "NULL".to_owned() };
            let value = |(place, kind): (usize, &String)| match kind.as_str() {
                "uuid" => format!("{key}::uuid"),
                kind => format!("({})::{kind}", odd_values(kind)[(round / 2 * (place + 1) + place * place) % 6]),
            };
            let values: Vec<String> = kinds.iter().enumerate().map(value).collect();
            let call = format!("SELECT agon.{function}({})", values.join(", "));
            let answer = guest.batch_execute(&call).map_err(|error| error.code().map(|code| code.code().to_owned()));
            let refused = Err(Some("AG001".to_owned()));
            let is_known = key != "NULL" || !kinds.iter().any(|kind| kind == "uuid");
            assert!(answer == refused || is_known && answer.is_ok(), "{call}: {answer:?}");
        }
    }
    let kept = "SELECT (SELECT count(*) FROM agon.block) + (SELECT count(*) FROM agon.inbox)";
    assert_eq!(owner.query_one(kept, &[]).unwrap().get::<_, i64>(0), 0, "nothing of it is kept");
    owner.batch_execute("UPDATE agon.worker SET state = 'gone' WHERE role = 'agon_fuzz'").unwrap();
    course.end();
}
