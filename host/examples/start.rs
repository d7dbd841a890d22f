//! Measures the start of a client: spawn, sandbox, hello, open and reap, against the start of an empty program in C, in
//! one run. `cargo run --release -p agon-host --example start [ROUNDS]`; needs `cc`.

use agon_abi::{Blob, Expected, HEAD, Kind, Layer, Layers, Request};
use agon_host::settings::Settings;
use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::time::{Duration, Instant};

const CLIENT: &str = "__attribute__((visibility(\"default\"))) unsigned agon_header_included = 1;";

fn main() {
    let rounds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(300);
    let folder = std::env::temp_dir().join(format!("agon-start-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for two small programs");
    let empty = compile(&folder, "empty", "int main(void) { return 0; }", &[]);
    let client = compile(&folder, "client.so", CLIENT, &["-shared", "-fPIC"]);
    let host = std::env::current_exe().expect("own path");
    let host = host.ancestors().nth(2).expect("target directory").join("agon-host");

    let mut ways: Vec<(String, PathBuf, Option<Vec<u8>>)> = vec![("empty program".into(), empty, None)];
    for (name, layers) in [
        ("", Layers::ALL),
        ("--sandbox off", Layers::NONE),
        ("--without seccomp", Layers::ALL.without(Layer::Seccomp)),
        ("--without landlock", Layers::ALL.without(Layer::Landlock)),
    ] {
        let settings = Settings { layers, required: layers, ..Settings::of(&client) };
        ways.push((format!("host {name}"), host.clone(), Some(settings.pack().expect("a short path"))));
    }
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for ((_, program, settings), times) in ways.iter().zip(&mut times) {
            times.push(start(program, settings.as_deref()));
        }
    }
    let medians: Vec<Duration> = times.iter_mut().map(|times| median(times)).collect();
    for ((name, ..), time) in ways.iter().zip(&medians) {
        println!(
            "{name:28} {:7.0} us  {:5.2}",
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / medians[0].as_secs_f64()
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn compile(folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    let (code, file) = (folder.join("source.c"), folder.join(name));
    std::fs::write(&code, source).expect("a source file");
    let status = Command::new("cc").args(options).arg("-o").arg(&file).arg(&code).status();
    assert!(status.is_ok_and(|status| status.success()), "this needs a C compiler, `cc`");
    file
}

/// One life; a host reads its settings and is asked to open its client, which has no descriptor and is refused after
/// all the work.
fn start(program: &Path, settings: Option<&[u8]>) -> Duration {
    let program = CString::new(program.as_os_str().as_bytes()).expect("no NUL");
    let pointers: [*mut c_char; 2] = [program.as_ptr().cast_mut(), ptr::null_mut()];
    let [requests, replies, log] = [pipe(), pipe(), pipe()];
    let began = Instant::now();
    // SAFETY: all pointers are those of live values, and the descriptors are this function's own.
    let pid = unsafe {
        let mut actions = std::mem::zeroed();
        libc::posix_spawn_file_actions_init(&mut actions);
        for (end, number) in [(requests[0], 3), (replies[1], 4), (log[1], 5)] {
            libc::posix_spawn_file_actions_adddup2(&mut actions, end, number);
        }
        let (mut pid, none) = (0, [ptr::null_mut()]);
        let failed = libc::posix_spawn(&mut pid, pointers[0], &actions, ptr::null(), pointers.as_ptr(), none.as_ptr());
        assert_eq!(failed, 0, "posix_spawn");
        libc::posix_spawn_file_actions_destroy(&mut actions);
        pid
    };
    close(&[requests[0], replies[1], log[1]]);
    if let Some(settings) = settings {
        // SAFETY: pointer and length are those of a live slice.
        unsafe { libc::write(requests[1], settings.as_ptr().cast(), settings.len()) };
        read(replies[0]);
        let expected = Expected { game: "none".into(), sizes: [0; 3], fields: Vec::new() };
        write(requests[1], Kind::Open, &expected.to_blob());
        read(replies[0]);
    }
    close(&[requests[1]]);
    // SAFETY: the process is this function's own child.
    unsafe { libc::waitpid(pid, ptr::null_mut(), 0) };
    let took = began.elapsed();
    close(&[replies[0], log[0]]);
    took
}

/// A pipe with its ends above 9, where no number of the child's is overwritten.
fn pipe() -> [i32; 2] {
    let mut ends = [0; 2];
    // SAFETY: the pointer is that of two live numbers.
    assert_eq!(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) }, 0);
    ends.map(|end| {
        // SAFETY: the descriptors are this function's own.
        let high = unsafe { libc::fcntl(end, libc::F_DUPFD_CLOEXEC, 10) };
        close(&[end]);
        high
    })
}

fn close(ends: &[i32]) {
    for end in ends {
        // SAFETY: the descriptors are this program's own.
        unsafe { libc::close(*end) };
    }
}

fn read(end: i32) {
    let mut bytes = [0u8; HEAD];
    // SAFETY: pointer and length are those of a live array.
    let got = unsafe { libc::read(end, bytes.as_mut_ptr().cast(), HEAD) };
    assert_eq!(got, HEAD as isize, "a reply");
}

fn write(end: i32, kind: Kind, blob: &Blob) {
    let mut bytes = Vec::new();
    Request::write(1, kind, blob, &mut bytes);
    // SAFETY: pointer and length are those of a live slice.
    unsafe { libc::write(end, bytes.as_ptr().cast(), bytes.len()) };
}
