//! The operator's page of workers: who sees it, and what its forms do.

use crate::builder::{Arena, finish};
use crate::cluster::Cluster;
use crate::hands::{self, Worker};
use crate::held::pairs;
use crate::https::{answer, free_port, stop};
use agon_model::WorkerState;
use agon_postgres::{PostgresLink, PostgresRecord};
use agon_record::Record as _;
use agon_record::database::Roster as _;
use agon_record::exchange::{Greeting, WorkerLink as _, WorkerRow};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// The pages of a record, and what its operator has.
struct Served {
    port: u16,
    token: String,
    child: Child,
}

impl Served {
    fn begin(arena: &Arena, url: &str) -> Served {
        let port = free_port();
        let mut serve = arena.command(["serve", "--record", url, "--listen", &port.to_string()]);
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let link = lines.find(|line| line.contains("/workers?token=")).unwrap();
        Served { port, token: link.split("token=").nth(1).unwrap().to_owned(), child }
    }

    fn ask(&self, method: &str, path: &str, heads: &str, body: &str) -> (u16, String) {
        let port = self.port;
        let head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n{heads}\r\n");
        answer(port, format!("{head}{body}").as_bytes(), false).unwrap()
    }

    fn cookie(&self) -> String {
        format!("cookie: agon-{}-operator={}\r\n", self.port, self.token)
    }

    fn origin(&self) -> String {
        format!("origin: http://127.0.0.1:{}\r\n", self.port)
    }

    /// Sends a form with these lines in its head; the status, and where it leads.
    fn form(&self, heads: &str, id: i64, act: &str) -> (u16, String) {
        let (port, body) = (self.port, format!("worker={id}&do={act}"));
        let kind = "content-type: application/x-www-form-urlencoded\r\nconnection: close";
        let head = format!("POST /workers/act HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{heads}{kind}\r\n");
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).unwrap();
        let place = told.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_default();
        (told.split(' ').nth(1).unwrap().parse().unwrap(), place.to_owned())
    }

    fn submit(&self, id: i64, act: &str) -> String {
        let (status, place) = self.form(&(self.cookie() + &self.origin()), id, act);
        assert_eq!(status, 303);
        place
    }

    /// Presses a button; what the page then says.
    fn press(&self, id: i64, act: &str) -> String {
        self.ask("GET", &self.submit(id, act), &self.cookie(), "").1
    }
}

fn row(url: &str, name: &str) -> WorkerRow {
    let rows = PostgresRecord::open(url).unwrap().workers().unwrap();
    rows.into_iter().find(|row| row.name == name).unwrap()
}

#[test]
fn the_operator_sees_the_workers_and_drains_one_by_a_form_and_nobody_else_does() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (Arena::new(), cluster.database());
    drop(hands::begin(&url, Duration::from_secs(60)));
    let _worker = Worker::come(&url, "lab-3");
    let served = Served::begin(&arena, &url);
    for stranger in ["/workers", "/workers?token=0123"] {
        assert_eq!(served.ask("GET", stranger, "", "").0, 403, "{stranger}");
    }
    assert_eq!(served.ask("GET", &format!("/workers?token={}", served.token), "", "").0, 200);
    let (cookie, origin) = (served.cookie(), served.origin());
    let (status, page) = served.ask("GET", "/workers", &format!("{cookie}accept-language: fr\r\n"), "");
    assert!(status == 200 && page.contains("lab-3") && page.contains("Ouvriers") && page.contains("joue"), "{page}");
    let id = row(&url, "lab-3").id;
    assert_eq!(served.form(&cookie, id, "drain").0, 403, "no page of this server sent it");
    assert_eq!(served.form(&format!("{cookie}origin: http://evil.example\r\n"), id, "drain").0, 403);
    assert_eq!(served.form(&origin, id, "drain").0, 403, "no cookie");
    assert_eq!(row(&url, "lab-3").state, WorkerState::Active);
    let place = served.submit(id, "drain");
    assert_eq!(served.ask("GET", &place, "", "").0, 403, "only the operator");
    let reads = |path: &str| served.ask("GET", path, &cookie, "").1.contains("ends when its blocks are played");
    assert!(!reads("/workers") && !reads("/workers/told/0123"), "another tab has nothing to say");
    let told = served.ask("GET", &place, &cookie, "").1;
    assert_eq!(row(&url, "lab-3").state, WorkerState::Draining);
    assert!(told.contains(&format!("worker {id} (lab-3) ends when its blocks are played")), "{told}");
    let listed = arena.agon(["worker", "list", "--record", &url]).well().stdout;
    assert!(listed.contains("an hour") && listed.contains("draining"), "{listed}");
    stop(served.child);
}

#[test]
fn a_ban_and_a_void_are_of_a_machine_whatever_it_calls_itself() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (pairs(4), cluster.database());
    drop(PostgresRecord::open(&url).unwrap());
    arena.agon(["worker", "invite", "pool", "--record", &url]).well();
    let line = url.replace("user=agon", "user=agon_pool");
    let ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
    let player = arena.start(["worker", "run", &line, "--jobs", "1", "--name", "pool", "--cache", "pool"]);
    finish(ladder).well();
    stop(player);
    let kept = || {
        let record = PostgresRecord::open(&url).unwrap();
        record.count_blocks(record.ladder("pairs").unwrap().unwrap().id).unwrap()
    };
    let (id, played) = (row(&url, "pool").id, kept());
    // Somebody else has the same name, and what it holds stays its own.
    let greeting = Greeting { name: "pool".to_owned(), ..hands::greeting("") };
    let come = |greeting: &Greeting| PostgresLink::new(&line).unwrap().greet(greeting);
    come(&greeting).unwrap();

    let agon = |words: [&str; 2]| arena.agon(["worker", words[0], words[1], "--record", &url]);
    let refused = agon(["ban", "pool"]);
    assert_eq!(refused.status, Some(2));
    for part in [&format!("{id} (")[..], "line pool", "choose by id, as agon worker ban", "agon worker ban line:pool"] {
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    let served = Served::begin(&arena, &url);
    let page = served.press(id, "void");
    assert!(page.contains(&format!("{played} blocks of worker {id} (pool) left the record")), "{page}");
    assert_eq!(kept(), 0);
    let page = served.press(id, "ban");
    assert!(page.contains(&format!("worker {id} (pool) is banned")), "{page}");
    let states = || {
        let rows = PostgresRecord::open(&url).unwrap().workers().unwrap();
        rows.into_iter().map(|row| (row.id, row.state)).collect::<Vec<_>>()
    };
    let state = |of: i64| states().into_iter().find(|(id, _)| *id == of).unwrap().1;
    assert_eq!((state(id), state(id + 1)), (WorkerState::Banned, WorkerState::Active), "the other one plays on");
    let again = |name: &str| {
        let words = ["worker", "run", &line, "--jobs", "1", "--name", name, "--cache", "pool", "--idle", "0"];
        arena.agon(words).stderr
    };
    assert!(again("new").contains("is banned here"), "its machine is known under another name");
    come(&hands::greeting("pool")).expect("the line is open");

    agon(["ban", "line:pool"]).well();
    let owner = || postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let logs_in = "SELECT rolcanlogin FROM pg_roles WHERE rolname = 'agon_pool'";
    assert!(!owner().query_one(logs_in, &[]).unwrap().get::<_, bool>(0) && come(&greeting).is_err());
    agon(["pardon", "line:pool"]).well();
    come(&greeting).expect("the line is open again");
    assert!(again("new").contains("is banned here"), "a machine's own ban stands");
    agon(["pardon", &id.to_string()]).well();
    assert!(!again("new").contains("banned"));
    stop(served.child);
}

#[test]
fn a_line_is_banned_and_pardoned_as_a_whole_or_not_at_all() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (Arena::new(), cluster.database());
    let mut superuser = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let name: String = superuser.query_one("SELECT current_database()::text", &[]).unwrap().get(0);
    superuser.batch_execute(&format!("CREATE ROLE keeper LOGIN; ALTER DATABASE {name} OWNER TO keeper")).unwrap();
    let keepers = url.replace("user=agon", "user=keeper");
    drop(hands::begin(&keepers, Duration::from_secs(60)));
    arena.agon(["worker", "invite", "crew", "--record", &url]).well();
    let line = url.replace("user=agon", "user=agon_crew");
    let mut worker = Worker::come(&line, "honest");
    let agon = |act: &str| arena.agon(["worker", act, "line:crew", "--record", &keepers]);
    let refused = agon("ban");
    let help = "nothing was changed: this user may not change the role agon_crew";
    assert!(refused.status == Some(1) && refused.stderr.contains(help), "{refused:?}");
    worker.link.beat(1).expect("nothing was changed");
    assert_eq!(row(&url, "honest").state, WorkerState::Active);
    drop(Worker::come(&line, "another"));
    superuser.batch_execute("ALTER ROLE keeper CREATEROLE; GRANT agon_crew TO keeper WITH ADMIN OPTION").unwrap();
    agon("ban").well();
    assert!(worker.link.beat(1).is_err() && PostgresLink::new(&line).unwrap().greet(&hands::greeting("x")).is_err());
    superuser.batch_execute("ALTER ROLE keeper NOCREATEROLE").unwrap();
    let refused = agon("pardon");
    assert!(refused.status == Some(1) && refused.stderr.contains(help), "{refused:?}");
    assert_eq!(row(&url, "honest").state, WorkerState::Banned);
    superuser.batch_execute("ALTER ROLE keeper CREATEROLE").unwrap();
    agon("pardon").well();
    drop(Worker::come(&line, "again"));
}

#[test]
fn an_owner_who_is_no_superuser_invites_a_line_again() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (Arena::new(), cluster.database());
    let mut superuser = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let name: String = superuser.query_one("SELECT current_database()::text", &[]).unwrap().get(0);
    let owner = format!("CREATE ROLE owner LOGIN CREATEROLE; ALTER DATABASE {name} OWNER TO owner");
    superuser.batch_execute(&owner).unwrap();
    let url = url.replace("user=agon", "user=owner");
    drop(hands::begin(&url, Duration::from_secs(60)));
    let invite = || arena.agon(["worker", "invite", "twice", "--record", &url]).well().stdout;
    assert_ne!(invite(), invite(), "each has its password");
}

#[test]
fn those_that_are_there_and_the_last_that_left_are_listed_and_the_rest_is_counted() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url) = (Arena::new(), cluster.database());
    drop(hands::begin(&url, Duration::from_secs(60)));
    let _first = Worker::come(&url, "stays");
    let many = "INSERT INTO agon.worker (name, role, build, games, layers, cores, jobs, party, state)
        SELECT 'left-' || n, 'agon', '0', '{}', '{}', 1, 1, 'agon/' || n, 'gone' FROM generate_series(1, 57) AS n";
    postgres::Client::connect(&url, postgres::NoTls).unwrap().batch_execute(many).unwrap();
    let list = |more: &[&str]| arena.agon(["worker", "list", "--record", &url].iter().chain(more)).well().stdout;
    let listed = list(&[]);
    let has = |name: &str| listed.contains(&format!("{name} "));
    assert!(has("stays") && has("left-57") && has("left-38") && !has("left-37"), "{listed}");
    assert!(listed.contains("37 more workers that left are not listed; agon worker list --all"), "{listed}");
    let all = list(&["--all"]);
    assert!(all.contains("left-1 ") && all.contains("left-57 ") && !all.contains("not listed"), "{all}");
    let json: serde_json::Value = serde_json::from_str(&list(&["--json"])).unwrap();
    assert_eq!((json["workers"].as_array().unwrap().len(), json["more"].as_u64()), (21, Some(37)));
    let served = Served::begin(&arena, &url);
    let page = served.ask("GET", "/workers", &served.cookie(), "").1;
    assert!(page.contains("left-57") && !page.contains("left-1<") && page.contains("37 more left"), "{page}");
    stop(served.child);
}
