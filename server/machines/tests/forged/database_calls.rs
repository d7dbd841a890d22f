//! What a worker's role may call in the database, and what strangers who share it cannot do to others.

use super::{Course, greeting};
use crate::cluster::Cluster;
use crate::held::wait_until;
use agon_crew::remote::draw_identity;
use agon_postgres::PostgresRecord;
use agon_record::database::Roster as _;
use agon_record::exchange::{LinkError, WorkerLink};

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
    let mut thinker = guest(&course, "c");
    let long = "SELECT sum(1) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b";
    let thinks = std::thread::spawn(move || thinker.batch_execute(long).unwrap_err());
    wait_until("it is counted all the same", || course.against("player").0 == 1);
    assert!(player.batch_execute("SELECT 1").is_err(), "its session is ended");
    wait_until("nobody holds a snapshot", || watcher.batch_execute("SELECT 1").is_err());
    wait_until("nobody computes for ever", || thinks.is_finished());
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
