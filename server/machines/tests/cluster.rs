//! A private cluster of the installed PostgreSQL, for the tests of one program: on a socket in a folder of its own, run
//! by an ordinary user, gone with the program.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whoever PostgreSQL runs as where the tests run as root, which it refuses.
const NOBODY: u32 = 65534;

/// Ends the server and removes its folder as soon as whoever holds its input is gone, however that ended; crashes it
/// and starts it again for each line of input before.
const KEEPER: &str = "folder=$1; shift; start() { \"$@\" >>\"$folder/log\" 2>&1 & server=$!; }; start \"$@\"; \
    while read -r _; do kill -QUIT $server; wait $server; start \"$@\"; done; \
    kill -QUIT $server; wait $server; rm -rf \"$folder\"";

/// A running server.
pub struct Cluster {
    folder: PathBuf,
    /// Lives as long as its input is open.
    keeper: Mutex<Child>,
}

impl Cluster {
    /// The one of the calling file, since roles are those of a whole server; `None`, reported, without PostgreSQL.
    #[track_caller]
    pub fn shared() -> Option<&'static Cluster> {
        static CLUSTERS: Mutex<BTreeMap<&str, &Cluster>> = Mutex::new(BTreeMap::new());
        let Some(programs) = programs() else {
            agon_skips::skip("PostgreSQL");
            return None;
        };
        let mut clusters = CLUSTERS.lock().unwrap_or_else(PoisonError::into_inner);
        let file = Location::caller().file();
        Some(*clusters.entry(file).or_insert_with(|| Box::leak(Box::new(Cluster::start(&programs)))))
    }

    /// One that nobody else uses.
    pub fn own() -> Option<Cluster> {
        let cluster = programs().map(|programs| Cluster::start(&programs));
        if cluster.is_none() {
            agon_skips::skip("PostgreSQL");
        }
        cluster
    }

    /// Crashes the server and starts it again; all connections are gone.
    pub fn crash(&self) {
        let mut keeper = self.keeper.lock().unwrap();
        keeper.stdin.as_mut().unwrap().write_all(b"crash\n").unwrap();
    }

    /// Lets roles in only by their passwords, except its owner.
    pub fn ask_for_passwords(&self) {
        let access = "local all agon trust\nlocal all all scram-sha-256\n";
        std::fs::write(self.folder.join("data/pg_hba.conf"), access).unwrap();
        let url = self.url("postgres");
        let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
        client.batch_execute("SELECT pg_reload_conf()").unwrap();
        let is_asked = || {
            let refused = ::postgres::Client::connect(&url.replace("user=agon", "user=other"), ::postgres::NoTls);
            // Nothing is sent without a password to send.
            refused.err().is_some_and(|error| error.as_db_error().is_none())
        };
        crate::held::wait_until("passwords are asked for", is_asked);
    }

    fn start(programs: &Path) -> Cluster {
        let folder = tempfile::Builder::new().prefix("agon-pg").tempdir_in("/tmp").unwrap();
        let folder = folder.keep();
        let data = folder.join("data");
        if rustix::process::geteuid().is_root() {
            chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let mut initdb = as_user(&programs.join("initdb"));
        initdb.args(["--auth=trust", "--username=agon", "--encoding=UTF8", "--no-sync", "-D"]).arg(&data);
        let made = initdb.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut keeper = as_user(Path::new("/bin/sh"));
        keeper.args(["-c", KEEPER, "sh"]).arg(&folder).arg(programs.join("postgres")).arg("-D").arg(&data);
        keeper.arg("-k").arg(&folder).args(["-c", "listen_addresses=", "-c", "fsync=off"]);
        // No question waits for ever.
        keeper.args(["-c", "statement_timeout=300s"]);
        keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let cluster = Cluster { folder, keeper: Mutex::new(keeper.spawn().unwrap()) };
        cluster.wait();
        cluster
    }

    fn wait(&self) {
        let began = Instant::now();
        while agon_postgres::PostgresRecord::open(&self.url("postgres")).is_err() {
            assert!(began.elapsed() < Duration::from_secs(120), "the private cluster does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=agon", self.folder.display())
    }

    /// The address of a fresh database.
    pub fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let mut client = ::postgres::Client::connect(&self.url("postgres"), ::postgres::NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        self.url(&name)
    }
}

/// The folder of PostgreSQL's programs: in the path, or where Debian puts those of a version.
pub fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let versions = versions.map(|version| version.path().join("bin"));
    std::env::split_paths(&path)
        .chain(versions)
        .find(|folder| ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file()))
}

fn as_user(program: &Path) -> Command {
    let mut command = Command::new(program);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.env("LC_ALL", "C.UTF-8").current_dir("/tmp").stdin(Stdio::null());
    command
}
