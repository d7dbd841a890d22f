//! `agon ladder --open`: a private PostgreSQL in the output folder, to which other machines come by one line, and by
//! nothing else.

use crate::builder::{Arena, finish, finish_within};
use crate::held::{pairs, table, wait_until};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Whoever PostgreSQL runs as where the tests run as root, which it refuses.
const NOBODY: u32 = 65534;

/// An arena of an ordinary user; `None`, said loudly, without PostgreSQL.
pub fn arena() -> Option<Arena> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let versions = versions.map(|version| version.path().join("bin"));
    if !std::env::split_paths(&path).chain(versions).any(|folder| folder.join("initdb").is_file()) {
        agon_skips::skip("PostgreSQL");
        return None;
    }
    Some(pairs(10).as_user(rustix::process::geteuid().is_root().then_some(NOBODY)))
}

/// A ladder that is open, and the address that it prints.
fn open(arena: &Arena) -> (Child, String) {
    let mut ladder = arena.command(["ladder", "--jobs", "0", "--quiet", "--open=127.0.0.1"]);
    let mut ladder = ladder.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(ladder.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut said = String::new();
    let line = lines.find(|line| {
        said += line;
        line.contains("agon worker run '")
    });
    let line = line.unwrap_or_else(|| panic!("no line to paste: {said}"));
    // It is read on, so that nobody waits for it.
    std::thread::spawn(move || lines.for_each(drop));
    (ladder, line.split('\'').nth(1).unwrap().to_owned())
}

fn worker(arena: &Arena, url: &str) -> Child {
    arena.start(["worker", "run", url, "--jobs", "1", "--name", "other", "--cache", "other", "--idle", "60"])
}

/// A worker hears that the ladder is over, and ends well long before its `--idle`.
fn goes_home(worker: Child) {
    let ended = finish_within(worker, Duration::from_secs(20)).well();
    assert!(ended.stderr.contains("the ladder is over") && !ended.stderr.contains("nothing came"), "{}", ended.stderr);
}

/// What a worker that is not let in says.
fn refused(arena: &Arena, url: &str) -> String {
    let ran = finish_within(worker(arena, url), Duration::from_secs(60));
    assert!(ran.status.is_some_and(|status| status != 0), "{}", ran.stderr);
    ran.stderr
}

/// Who has the line tries what PostgreSQL lets everybody do, and changes what all who have it come with; then the ladder
/// is killed and opened again, with the line of before.
fn sabotage(arena: &Arena, mut ladder: Child, url: &str) -> (Child, String) {
    let address = std::fs::read_to_string(arena.path("agon-out/postgres/address")).unwrap();
    let mut guest = postgres::Client::connect(address.trim(), postgres::NoTls).unwrap();
    guest.batch_execute("SET SESSION AUTHORIZATION agon_guests").unwrap();
    for denied in [
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT pg_notify('x', 'y')",
        "SELECT pg_terminate_backend(1)",
        "DO 'BEGIN LOOP END LOOP; END'",
        "CREATE TABLE public.mine (x integer)",
        "CREATE TEMP TABLE mine (x integer)",
        "SET temp_file_limit = -1",
        "ALTER ROLE agon_guests SET temp_file_limit = -1",
        "ALTER ROLE agon_guests CONNECTION LIMIT -1",
        "ALTER SYSTEM SET max_connections = 1",
    ] {
        let error = guest.batch_execute(denied).unwrap_err();
        assert_eq!(error.code(), Some(&postgres::error::SqlState::INSUFFICIENT_PRIVILEGE), "{denied}: {error}");
    }
    let large = "SELECT count(*) FROM (SELECT x FROM generate_series(1, 3000000) AS x ORDER BY md5(x::text)) AS y";
    // A session of a guest's own, with which it may try whatever it likes.
    let encrypted = format!("{}?sslmode=require", url.split('?').next().unwrap());
    let psql = std::process::Command::new("psql").args([&encrypted, "-c", large]).output();
    match psql {
        Ok(ran) => {
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(said.contains("temporary file size exceeds") && said.contains("temp_file_limit"), "{said}");
        }
        Err(_) => agon_skips::skip("psql"),
    }
    let hoard = "SELECT cardinality(array_agg(repeat('x', 1000000))) FROM generate_series(1, 2000)";
    let error = guest.batch_execute(hoard).unwrap_err();
    assert_eq!(error.code(), Some(&postgres::error::SqlState::OUT_OF_MEMORY), "{error}");
    guest.batch_execute("RESET SESSION AUTHORIZATION").unwrap();
    guest.batch_execute(large).unwrap();
    let known = "SELECT rolpassword FROM pg_authid WHERE rolname = 'agon_guests'";
    let verifier: String = guest.query_one(known, &[]).unwrap().get(0);
    guest.batch_execute("SET SESSION AUTHORIZATION agon_guests").unwrap();
    let spoil = "ALTER ROLE agon_guests PASSWORD 'mine'; ALTER ROLE agon_guests SET default_transaction_read_only = on";
    guest.batch_execute(spoil).unwrap();
    // While the ladder is open, its coordinator restores both.
    guest.batch_execute("RESET SESSION AUTHORIZATION").unwrap();
    let spoiled = "SELECT (SELECT rolpassword FROM pg_authid WHERE rolname = 'agon_guests') <> $1
        OR EXISTS (SELECT 1 FROM pg_db_role_setting JOIN pg_roles ON oid = setrole WHERE rolname = 'agon_guests')";
    wait_until("all is as it was", || !guest.query_one(spoiled, &[&verifier]).unwrap().get::<_, bool>(0));
    ladder.kill().unwrap();
    ladder.wait().unwrap();
    let (ladder, again) = open(arena);
    assert_eq!(again, url);
    (ladder, again)
}

/// Kills the server, as the system does where memory is short.
fn kill_server(arena: &Arena) {
    let text = std::fs::read_to_string(arena.path("agon-out/postgres/data/postmaster.pid")).unwrap();
    let server = text.lines().next().unwrap().parse().unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(server).unwrap(), rustix::process::Signal::KILL)
        .unwrap();
}

#[test]
fn a_ladder_opens_itself_and_others_come_by_one_line() {
    let Some(arena) = arena() else { return };
    let here = pairs(10);
    here.agon(["ladder", "--quiet"]).well();
    let began = Instant::now();
    let (ladder, url) = open(&arena);
    assert!(url.starts_with("postgres://agon_guests:") && url.contains("?fingerprint="), "{url}");
    // Another certificate than the one of the line, and no encryption at all.
    let (before, mark) = url.rsplit_once('=').unwrap();
    let another = format!("{before}={}", "ab".repeat(32));
    assert!(refused(&arena, &another).contains("another server answers there"), "{another}");
    let plain = refused(&arena, url.split('?').next().unwrap());
    assert!(plain.contains("no encryption") || plain.contains("pg_hba"), "{plain}");
    let forged = url.replace(&url[23..40], "wrongwrongwrong00");
    assert!(refused(&arena, &forged).contains("paste the whole line"), "{forged}");
    let (ladder, url) = sabotage(&arena, ladder, &url);
    let listed = arena.agon(["worker", "list", "--record", "@agon-out/postgres/address"]).well().stdout;
    assert!(listed.contains("matches at once"), "{listed}");
    kill_server(&arena);
    let worker = worker(&arena, &url);
    let ended = finish(ladder);
    println!("the whole ladder took {:?}", began.elapsed());
    assert_eq!(ended.well().stdout, table(&here));
    goes_home(worker);
    // The ladder is over and its server with it: whoever reads it starts it again for a moment.
    assert_eq!(arena.agon(["standings"]).well().stdout, table(&here));
    assert_eq!(arena.agon(["ladder", "--quiet"]).well().stdout, table(&here));
    assert!(!arena.path("agon-out/record.sqlite").exists(), "there is one record");
    // The line stays what it is.
    let (ladder, again) = open(&arena);
    assert_eq!((again.rsplit_once('=').unwrap().1, &again), (mark, &url));
    assert_eq!(finish(ladder).well().stdout, table(&here));
}

#[test]
fn one_port_serves_people_and_workers_who_know_its_certificate() {
    let Some(arena) = arena() else { return };
    let here = pairs(10);
    here.agon(["ladder", "--quiet"]).well();
    let words = ["ladder", "--jobs", "0", "--quiet", "--open=127.0.0.1", "--serve=127.0.0.1:0"];
    let mut ladder = arena.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(ladder.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("agon worker run 'https://")).unwrap();
    std::thread::spawn(move || lines.for_each(drop));
    let url = line.split('\'').nth(1).unwrap();
    let (place, key) = url.split_once('#').unwrap();
    let (place, mark) = place.split_once("?fingerprint=").unwrap();
    assert!(
        place.starts_with("https://127.0.0.1:") && place.ends_with("/worker") && key.starts_with("guests:"),
        "{url}"
    );
    let another = format!("{place}?fingerprint={}#{key}", "ab".repeat(32));
    assert!(refused(&arena, &another).contains("another server answers there"));
    // An authority that the system believes has not signed it.
    let unknown = agon_postgres::HttpsLink::new(&format!("{place}#{key}")).map(|mut link| {
        use agon_record::exchange::WorkerLink;
        link.beat(1).unwrap_err().to_string()
    });
    assert!(unknown.is_err() || unknown.is_ok_and(|why| why.contains("is not believed")), "no authority");
    let wrong = format!("{place}?fingerprint={mark}#guests:{}", "0".repeat(64));
    assert!(refused(&arena, &wrong).contains("this line is not known here"));
    // The same port serves people, without encryption.
    let mut page =
        std::net::TcpStream::connect(place.trim_start_matches("https://").split('/').next().unwrap()).unwrap();
    std::io::Write::write_all(&mut page, b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let told = std::io::read_to_string(&mut page).unwrap();
    assert!(told.starts_with("HTTP/1.1 200") || told.starts_with("HTTP/1.1 303"), "{told}");
    let worker = worker(&arena, url);
    assert_eq!(finish(ladder).well().stdout, table(&here));
    goes_home(worker);
}

#[test]
fn whoever_cannot_open_is_told_what_to_do() {
    let arena = pairs(1);
    if rustix::process::geteuid().is_root() {
        let refused = arena.agon(["ladder", "--open"]);
        assert_eq!(refused.status, Some(1), "{}", refused.stderr);
        assert!(refused.stderr.contains("PostgreSQL does not run as root; help: "), "{}", refused.stderr);
        assert!(refused.stderr.contains("su USER -c"), "{}", refused.stderr);
    }
    for odd in ["--open=a b", "--open=host:port"] {
        let refused = arena.agon(["ladder", odd]);
        assert_eq!(refused.status, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains("write HOST or HOST:PORT"), "{}", refused.stderr);
    }
    arena.agon(["ladder", "--quiet"]).well();
    let refused = arena.agon(["ladder", "--open"]);
    assert!(refused.stderr.contains("has a record already"), "{}", refused.stderr);
}
