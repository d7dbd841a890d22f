//! A private cluster of the installed PostgreSQL in a folder. It is made if there is none, started, and stopped when
//! this process ends, however it ends. Its owner connects by a socket in a private folder, everybody else by TLS with a
//! password.

use crate::address::{Address, FINGERPRINT, fingerprint};
use crate::certificate::Certificate;
use crate::connection::PostgresRecord;
use agon_record::database::{Invitation, PrivateServer, PublicAddress};
use agon_record::over_http::InvitationKey;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to answer at its start, and an earlier one to end.
const START_LIMIT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);
/// The owner of the database, and its name.
const OWNER: &str = "agon";
/// The role of everybody who has the line.
const GUESTS: &str = "guests";
/// The limits for users of the line, which none of them can change: that needs a superuser, and the server writes the
/// log. A session of the owner has no limit, by `closed.sql`.
const GUESTS_BOUNDS: [(&str, &str); 7] = [
    ("temp_file_limit", "1MB"),
    ("log_min_messages", "log"),
    ("log_min_error_statement", "panic"),
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "10s"),
];
/// The most bytes of a socket's name.
const LONGEST_SOCKET: usize = 100;

/// Ends the server as soon as the holder of its input has ended, for whatever reason; restarts a server that ends
/// earlier. A session has at most 1 GiB of addresses, since a guest's query may ask for any memory.
const KEEPER: &str = "(ulimit -v 1048576; trap 'kill -INT $server; wait $server; exit' TERM; \
    while :; do \"$@\" & server=$!; wait $server; server=; sleep 1; done) & keeper=$!; \
    read -r _; kill -TERM $keeper; wait $keeper";

/// The access rules: the owner by the socket, in a folder that nobody else enters; others by a password, over TLS or as
/// the owner lets them in.
const ACCESS: &str = "local all agon trust\nlocal agon all scram-sha-256\nhostssl agon all all scram-sha-256\n";

/// Closes the functions that no worker needs.
const CLOSED: &str = include_str!("closed.sql");

/// A running server, and the way for others to reach it.
struct Cluster {
    keeper: Keeper,
    url: String,
    invitation: Option<Invitation>,
}

/// The process that keeps the server running as long as its input is open.
struct Keeper(Child);

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The addresses to listen at: the named one if this machine has it, else all, because a name may belong to a machine
/// in front of this one.
fn listens_at(address: &PublicAddress) -> IpAddr {
    let named = match address.host.as_deref() {
        Some("localhost") => Some(IpAddr::from(Ipv4Addr::LOCALHOST)),
        host => host.and_then(|host| host.parse::<IpAddr>().ok()),
    };
    let is_own = |address: &IpAddr| address.is_loopback() || TcpListener::bind((*address, 0)).is_ok();
    named.filter(is_own).unwrap_or(IpAddr::from(Ipv4Addr::UNSPECIFIED))
}

/// The same in PostgreSQL's notation.
fn listen_addresses(address: &PublicAddress) -> String {
    let at = listens_at(address);
    if at.is_unspecified() { "*".to_owned() } else { at.to_string() }
}

/// Starts the server of a folder, and makes it if there is none. Others reach it only by `address`.
///
/// # Errors
/// The text is a sentence with what to do.
pub fn start(folder: &Path, address: Option<&PublicAddress>) -> Result<PrivateServer, String> {
    let Cluster { keeper, url, invitation } = Cluster::start(folder, address)?;
    Ok(PrivateServer { url, invitation, keeper: Box::new(keeper) })
}

/// The owner's address of a server that runs already.
pub fn find_running(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let port: u16 = fs::read_to_string(folder.join("port")).ok()?.trim().parse().ok()?;
    let url = owners_address(&folder, port, OWNER);
    Address::read(&url).ok()?.connect().ok().map(|_| url)
}

impl Cluster {
    fn start(folder: &Path, address: Option<&PublicAddress>) -> Result<Cluster, String> {
        if rustix::process::geteuid().is_root() {
            let help = "an ordinary user may: give it the folder (chown -R USER DIR) and run su USER -c 'agon ladder ... \
                        --open'; adduser makes one";
            return Err(format!("PostgreSQL does not run as root; help: {help}"));
        }
        let programs = programs().ok_or_else(|| {
            let help =
                "install it (Debian, Ubuntu: apt-get install postgresql), or put the folder with initdb into PATH";
            format!("PostgreSQL is not installed; help: {help}")
        })?;
        let trouble = |error: std::io::Error| {
            format!("{}: {error}; help: choose another [output] dir, or make it writable", folder.display())
        };
        let folder = make_folder(folder).map_err(trouble)?;
        let data = folder.join("data");
        if folder.as_os_str().len() > LONGEST_SOCKET - 20 {
            let help = "help: choose an [output] dir with a shorter path, less than 80 bytes in all";
            return Err(format!("{}: the path is too long for a socket; {help}", folder.display()));
        }
        if !data.join("PG_VERSION").exists() {
            make_data(&programs, &folder, &data)?;
        }
        let certificate = make_certificate(&folder)?;
        fs::write(data.join("pg_hba.conf"), ACCESS).map_err(trouble)?;
        wait_for_another(&data);
        let port = find_port(&folder, address)?;
        let log = OpenOptions::new().create(true).append(true).open(folder.join("log")).map_err(trouble)?;
        let keeper = Keeper(start_server(&programs, &folder, (port, address), log).map_err(trouble)?);
        let socket = |database| owners_address(&folder, port, database);
        let mut cluster = Cluster { keeper, url: socket(OWNER), invitation: None };
        cluster.wait(&folder, &socket("postgres"))?;
        fs::write(folder.join("address"), &cluster.url).map_err(trouble)?;
        if let Some(address) = address {
            cluster.invite(&folder, (address, port), &certificate)?;
        }
        Ok(cluster)
    }

    /// Waits until it answers, and makes its database.
    fn wait(&mut self, folder: &Path, url: &str) -> Result<(), String> {
        let began = Instant::now();
        loop {
            let Err(error) = PostgresRecord::make_database(url, OWNER) else { return Ok(()) };
            let failure = failure(folder);
            if failure.is_none() && began.elapsed() < START_LIMIT {
                std::thread::sleep(PAUSE);
                continue;
            }
            let (why, log) = (failure.unwrap_or(error), folder.join("log"));
            return Err(format!("the private PostgreSQL does not start: {why}; help: read {}", log.display()));
        }
    }

    /// The line for others: the previous one, so that its users can return.
    fn invite(&mut self, folder: &Path, (address, port): (&PublicAddress, u16), mark: &str) -> Result<(), String> {
        let file = folder.join("password");
        let record = PostgresRecord::open(&self.url).map_err(|error| error.to_string())?;
        record.batch(CLOSED).map_err(|error| error.to_string())?;
        let known = fs::read_to_string(&file).ok().filter(|text| !text.is_empty());
        let password = match known {
            Some(known) => {
                record.restore_role(GUESTS, &known).map_err(|error| error.to_string())?;
                known
            }
            None => {
                let (_, drawn) = record.make_role(GUESTS).map_err(|error| error.to_string())?;
                write_secret(&file, &drawn).map_err(|error| format!("{}: {error}", file.display()))?;
                drawn
            }
        };
        let host = address.host.clone().unwrap_or_else(own_address);
        let is_local = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let host = if host.contains(':') { format!("[{host}]") } else { host };
        let url = format!("postgres://agon_{GUESTS}:{password}@{host}:{port}/{OWNER}?{FINGERPRINT}={mark}");
        let key = InvitationKey { name: GUESTS.to_owned(), secret: password };
        self.invitation = Some(Invitation { url, is_local, key });
        Ok(())
    }
}

fn owners_address(folder: &Path, port: u16, database: &str) -> String {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._".contains(&byte);
    let encode = |byte: &u8| if fits(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02x}") };
    let host: String = folder.as_os_str().as_bytes().iter().map(encode).collect();
    format!("postgres:///{database}?host={host}&port={port}&user={OWNER}")
}

/// The folder of PostgreSQL's programs: in the path, or where Debian puts the newest version's.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    versions.sort_by_key(|path| std::cmp::Reverse(version_of(path)));
    std::env::split_paths(&path)
        .chain(versions)
        .find(|folder| ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file()))
}

fn version_of(programs: &Path) -> u32 {
    let version = programs.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    version.and_then(|name| name.parse().ok()).unwrap_or(0)
}

/// Makes a folder that nobody else enters, and returns its whole path.
fn make_folder(folder: &Path) -> std::io::Result<PathBuf> {
    folder.parent().map_or(Ok(()), fs::create_dir_all)?;
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    folder.canonicalize()
}

/// Makes a whole cluster, or none.
fn make_data(programs: &Path, folder: &Path, data: &Path) -> Result<(), String> {
    let partial = folder.join("data.partial");
    let _ = fs::remove_dir_all(&partial);
    let mut initdb = Command::new(programs.join("initdb"));
    initdb.args(["--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C"]);
    initdb.arg(format!("--username={OWNER}")).arg("-D").arg(&partial).stdin(Stdio::null());
    let made = initdb.output().map_err(|error| format!("initdb: {error}"))?;
    if !made.status.success() {
        let said = String::from_utf8_lossy(&made.stderr).lines().last().unwrap_or_default().to_owned();
        return Err(format!("initdb: {said}; help: free some space, or choose another [output] dir"));
    }
    fs::rename(&partial, data).map_err(|error| format!("{}: {error}", data.display()))
}

/// The fingerprint of the certificate, which is made with its key if there is none.
fn make_certificate(folder: &Path) -> Result<String, String> {
    let (key_file, file, mark) = (folder.join("server.key"), folder.join("server.crt"), folder.join("fingerprint"));
    if let (true, true, Ok(known)) = (key_file.exists(), file.exists(), fs::read_to_string(&mark)) {
        return Ok(known);
    }
    let made = Certificate::new(OWNER)
        .map_err(|_| "no certificate can be made: this machine gives no random numbers; help: please report this")?;
    let known = fingerprint(&made.der);
    let write = || {
        write_secret(&key_file, &made.key_pem())?;
        write_secret(&file, &made.pem())?;
        write_secret(&mark, &known)
    };
    write().map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(known)
}

/// Writes a file that nobody else can read.
fn write_secret(path: &Path, text: &str) -> std::io::Result<()> {
    let _ = fs::remove_file(path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// Waits for an earlier server that is about to end: that of a killed process ends a moment after it.
fn wait_for_another(data: &Path) {
    let began = Instant::now();
    let is_there = || {
        let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
        let number = text.lines().next()?.trim().parse().ok()?;
        let process = rustix::process::Pid::from_raw(number)?;
        rustix::process::test_kill_process(process).ok()
    };
    while is_there().is_some() && began.elapsed() < START_LIMIT {
        std::thread::sleep(PAUSE);
    }
}

/// The port that was asked for, the previous one, or a free one. Without other users it is only part of the socket's
/// name.
fn find_port(folder: &Path, address: Option<&PublicAddress>) -> Result<u16, String> {
    let file = folder.join("port");
    let before = || fs::read_to_string(&file).ok()?.trim().parse().ok();
    let known = address.and_then(|address| address.port).or_else(before);
    if let (Some(port), None) = (known, address) {
        return Ok(port);
    }
    let at = address.map_or(IpAddr::from(Ipv4Addr::UNSPECIFIED), listens_at);
    let listen = |port| TcpListener::bind(SocketAddr::from((at, port))).and_then(|open| open.local_addr());
    let help = "help: name another: --open HOST:PORT";
    let port = match known {
        Some(port) => listen(port).map_err(|error| (error, port)),
        None => listen(0).map_err(|error| (error, 0)),
    };
    let port = port.map_err(|(error, port)| match error.kind() {
        ErrorKind::AddrInUse => format!("port {port} is taken; {help}"),
        _ => format!("port {port}: {error}; {help}"),
    })?;
    fs::write(&file, port.port().to_string()).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(port.port())
}

fn start_server(
    programs: &Path,
    folder: &Path,
    (port, address): (u16, Option<&PublicAddress>),
    log: fs::File,
) -> std::io::Result<Child> {
    let failed = folder.join("log.before");
    // The log is searched for the reason of a failure, so it must contain only this start.
    let _ = fs::copy(folder.join("log"), failed);
    log.set_len(0)?;
    let setting = |name: &str, value: String| ["-c".to_owned(), format!("{name}={value}")];
    let file = |name: &str| folder.join(name).display().to_string();
    let mut keeper = Command::new("/bin/sh");
    keeper.args(["-c", KEEPER, "sh"]).arg(programs.join("postgres")).arg("-D").arg(folder.join("data"));
    keeper.arg("-k").arg(folder).args(["-p", &port.to_string()]);
    keeper
        .args(setting("listen_addresses", address.map_or_else(String::new, listen_addresses)))
        .args(setting("ssl", "on".to_owned()));
    keeper.args(setting("ssl_cert_file", file("server.crt"))).args(setting("ssl_key_file", file("server.key")));
    keeper.args(setting("ssl_min_protocol_version", "TLSv1.2".to_owned()));
    keeper.args(setting("unix_socket_permissions", "0700".to_owned()));
    keeper.args(setting("password_encryption", "scram-sha-256".to_owned()));
    // A full line leaves room for its owner.
    let (all, owners) = if address.is_some() { ("1100", "50") } else { ("50", "3") };
    keeper.args(setting("max_connections", all.to_owned()));
    keeper.args(setting("superuser_reserved_connections", owners.to_owned()));
    if address.is_some() {
        for (name, value) in GUESTS_BOUNDS {
            keeper.args(setting(name, value.to_owned()));
        }
    }
    keeper.stdin(Stdio::piped()).stdout(log.try_clone()?).stderr(log);
    // Ctrl-C is for the tournament: the record is needed until its end.
    keeper.process_group(0).env("LC_ALL", "C").spawn()
}

/// The server's reason for not starting. It gives one to early requests too.
fn failure(folder: &Path) -> Option<String> {
    let said = fs::read_to_string(folder.join("log")).ok()?;
    let failed = |line: &&str| line.contains("FATAL") && !line.contains("the database system is");
    said.lines().find(failed).map(str::to_owned)
}

/// The address by which this machine reaches others, found without sending anything.
fn own_address() -> String {
    let reach = || {
        let socket = UdpSocket::bind("0.0.0.0:0")?;
        // Nothing is sent: the system only chooses a route.
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    };
    reach().map_or_else(|_| "127.0.0.1".to_owned(), |address| address.ip().to_string())
}
