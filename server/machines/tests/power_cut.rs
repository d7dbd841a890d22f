//! The coordinator's machine loses its network: another takes over soon, and this one stands by when it is back. Each
//! machine is a network namespace, joined to that of the database.

use crate::builder::{Arena, NOBODY};
use crate::cluster::programs;
use crate::held::{pairs, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::chown;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Within what time a standby takes over, on a machine with other things to do.
const SOON: Duration = Duration::from_secs(20);
/// Within what time anything else happens here.
const PATIENCE: Duration = Duration::from_secs(120);

fn ip(words: &str) -> bool {
    let mut ip = Command::new("ip");
    ip.args(words.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
    ip.status().is_ok_and(|status| status.success())
}

/// A database in a namespace, and machines that reach it, each by a link of its own.
struct Lab {
    prefix: String,
    folder: tempfile::TempDir,
    server: Option<Child>,
}

impl Lab {
    /// `None`, said loudly, where there are no namespaces or there is no PostgreSQL.
    fn begin() -> Option<Lab> {
        let prefix = format!("agon{}", std::process::id() % 100_000);
        if !rustix::process::geteuid().is_root() || !ip(&format!("netns add {prefix}d")) {
            agon_skips::skip_here("there are no network namespaces");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("agon-lab").tempdir_in("/tmp").unwrap();
        let mut lab = Lab { prefix, folder, server: None };
        let Some(programs) = programs() else {
            agon_skips::skip("PostgreSQL");
            return None;
        };
        for machine in [1, 2] {
            lab.join(machine);
        }
        lab.serve(&programs);
        Some(lab)
    }

    fn machine(&self, number: u8) -> String {
        format!("{}m{number}", self.prefix)
    }

    /// Links a machine with the database's.
    fn join(&self, number: u8) {
        let (database, machine) = (format!("{}d", self.prefix), self.machine(number));
        for words in [
            format!("netns add {machine}"),
            format!("-n {machine} link add cable type veth peer name down{number} netns {database}"),
            format!("-n {machine} addr add 10.78.{number}.2/24 dev cable"),
            format!("-n {machine} link set cable up"),
            format!("-n {machine} link set lo up"),
            format!("-n {database} addr add 10.78.{number}.1/24 dev down{number}"),
            format!("-n {database} link set down{number} up"),
        ] {
            assert!(ip(&words), "ip {words}");
        }
    }

    fn serve(&mut self, programs: &std::path::Path) {
        let folder = self.folder.path();
        chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
        let data = folder.join("data");
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        let mut initdb = Command::new(nobody[0]);
        initdb.args(&nobody[1..]).arg(programs.join("initdb"));
        initdb.args(["--auth=trust", "--username=agon", "--encoding=UTF8", "--no-sync", "-D"]).arg(&data);
        assert!(initdb.current_dir("/tmp").stdout(Stdio::null()).status().unwrap().success());
        std::fs::write(data.join("pg_hba.conf"), "local all all trust\nhost all all 10.78.0.0/16 trust\n").unwrap();
        let mut server = Command::new("ip");
        server.args(["netns", "exec", &format!("{}d", self.prefix)]).args(nobody).arg(programs.join("postgres"));
        server.arg("-D").arg(&data).arg("-k").arg(folder).args(["-c", "listen_addresses=*", "-c", "fsync=off"]);
        server.current_dir("/tmp").stdout(Stdio::null()).stderr(Stdio::null());
        self.server = Some(server.spawn().unwrap());
        wait_until("the database answers", || agon_postgres::PostgresRecord::open(&self.local()).is_ok());
    }

    /// The address for this test, which needs no network.
    fn local(&self) -> String {
        format!("postgres:///postgres?host={}&user=agon", self.folder.path().display())
    }

    fn kept(&self) -> u64 {
        use agon_record::Record;
        let record = agon_postgres::PostgresRecord::open(&self.local()).unwrap();
        record.ladder("pairs").unwrap().map_or(0, |row| record.count_blocks(row.id).unwrap())
    }

    /// A coordinator on a machine.
    fn coordinate(&self, arena: &Arena, number: u8) -> Coordinator {
        let url = format!("postgres://agon@10.78.{number}.1/postgres");
        let there = arena.command(["ladder", "--quiet", "--jobs", "1", "--record", &url]);
        let mut here = Command::new("ip");
        here.args(["netns", "exec", &self.machine(number)]).arg(there.get_program()).args(there.get_args());
        here.current_dir(there.get_current_dir().unwrap());
        let mut child = here.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let (send, said) = channel();
        std::thread::spawn(move || lines.for_each(|line| drop(send.send(line))));
        Coordinator { child, said }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = kill_process(Pid::from_child(&server), Signal::INT);
            let _ = server.wait();
        }
        for name in [format!("{}d", self.prefix), self.machine(1), self.machine(2)] {
            ip(&format!("netns del {name}"));
        }
    }
}

/// A coordinator's process, and its lines.
struct Coordinator {
    child: Child,
    said: Receiver<String>,
}

impl Coordinator {
    /// How long it takes until it says something.
    fn wait_for(&self, text: &str, patience: Duration) -> Duration {
        let (began, mut all) = (Instant::now(), String::new());
        loop {
            let line = self.said.recv_timeout(patience.saturating_sub(began.elapsed()));
            let line = line.unwrap_or_else(|_| panic!("it does not say \"{text}\" within {patience:?}: {all}"));
            if line.contains(text) {
                return began.elapsed();
            }
            all += &(line + "\n");
        }
    }

    /// Its status when it is told to end, and what it said last.
    fn end(mut self) -> (Option<i32>, String) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let mut status = None;
        wait_until("it ends", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        (status.unwrap().code(), self.said.iter().collect::<Vec<_>>().join("\n"))
    }
}

#[test]
fn a_standby_takes_over_when_the_cable_is_cut_and_the_first_one_stands_by_when_it_is_back() {
    let Some(lab) = Lab::begin() else { return };
    let arenas = [pairs(100_000), pairs(100_000)];
    let first = lab.coordinate(&arenas[0], 1);
    wait_until("it plays", || lab.kept() > 0);
    let second = lab.coordinate(&arenas[1], 2);
    second.wait_for("this one stands by and takes over", PATIENCE);
    assert!(ip(&format!("-n {} link set cable down", lab.machine(1))));
    let took = second.wait_for("going on", SOON);
    println!("the standby took over {took:?} after the cut");
    let kept = lab.kept();
    wait_until("it plays on", || lab.kept() > kept);
    assert!(ip(&format!("-n {} link set cable up", lab.machine(1))));
    first.wait_for("this one stands by", PATIENCE);
    first.wait_for("this one stands by and takes over", PATIENCE);
    let (status, said) = first.end();
    assert_eq!(status, Some(0), "who stands by ends well: {said}");
    let (status, said) = second.end();
    assert_eq!(status, Some(130), "who plays is interrupted: {said}");
}
