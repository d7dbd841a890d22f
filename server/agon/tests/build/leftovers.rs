//! Folders that a build closes or nests, to hide bytes and to stay: agon counts them or ends the build, and removes them
//! all. A signal ends the unpacking, too.

use super::has_tools;
use crate::builder::{Arena, finish, users};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// An arena, whose builds are in a folder of its own.
fn arena(user: Option<u32>) -> Arena {
    let arena = Arena::new();
    fs::create_dir(arena.path("temporary")).unwrap();
    chown(arena.path("temporary"), user, user).unwrap();
    arena.as_user(user)
}

/// Builds a folder with a Makefile whose only target runs this.
fn build(arena: &Arena, name: &str, line: &str) -> (Option<i32>, String) {
    fs::create_dir_all(arena.path(name)).unwrap();
    arena.file(&format!("{name}/Makefile"), format!("SHELL = /bin/bash\nall:\n\t{}\n", line.replace('$', "$$")));
    let mut command = arena.command(["build", name, "--out", "built"]);
    command.env("TMPDIR", arena.path("temporary")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(command.spawn().unwrap());
    (ran.status, ran.stdout + &ran.stderr)
}

#[test]
fn a_build_hides_and_leaves_nothing() {
    if !has_tools() {
        return;
    }
    for user in users().into_iter().rev() {
        let arena = arena(user);
        let is_root = user.is_none() && rustix::process::geteuid().is_root();
        let deep = "for i in {1..300}; do mkdir dddd && cd dddd || exit; done; sleep 5";
        let closed = if is_root { "" } else { "make was stopped: agon cannot count what is in hid: Permission denied" };
        for (name, line, why) in [
            ("closed", "umask 0477; mkdir hid; head -c 2M /dev/zero > hid/x; sleep 5", closed),
            ("quick", "umask 0777; mkdir hid", closed),
            ("deep", deep, "make was stopped: its folders stand more than 100 deep in each other"),
        ] {
            let (status, said) = build(&arena, name, line);
            assert!(status == Some(4) && said.contains(&format!("refused  {name}: {why}")), "{name}: {said}");
            assert!(!said.contains("another agon"), "{name}: {said}");
            assert_eq!(fs::read_dir(arena.path("temporary")).unwrap().count(), 0, "{name}: {said}");
        }
    }
}

#[test]
fn a_folder_that_was_left_behind_is_taken_over() {
    if !has_tools() {
        return;
    }
    for user in users().into_iter().rev() {
        let arena = arena(user);
        let own = user.unwrap_or(rustix::process::geteuid().as_raw());
        let left = arena.path(format!("temporary/agon-build-{own}"));
        fs::create_dir_all(left.join("submission/hid")).unwrap();
        arena.file(&format!("temporary/agon-build-{own}/submission/hid/x"), "x");
        for (path, mode) in [("submission/hid/x", 0o000), ("submission/hid", 0o300), ("submission", 0o000), ("", 0o500)]
        {
            chown(left.join(path), user, user).unwrap();
            fs::set_permissions(left.join(path), fs::Permissions::from_mode(mode)).unwrap();
        }
        let (_, said) = build(&arena, "next", "true");
        assert!(!said.contains("usual place"), "{said}");
        assert_eq!(fs::read_dir(arena.path("temporary")).unwrap().count(), 0, "{said}");
    }
}

#[test]
fn a_signal_ends_the_unpacking() {
    let arena = arena(None);
    mknodat(CWD, arena.path("endless.tar"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let mut command = arena.command(["build", "endless.tar"]);
    let command = command.env("TMPDIR", arena.path("temporary")).process_group(0);
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut archive = File::options().write(true).open(arena.path("endless.tar")).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_path("a/large").unwrap();
    header.set_size(1 << 33);
    header.set_cksum();
    archive.write_all(header.as_bytes()).unwrap();
    archive.write_all(&[0; 1 << 20]).unwrap();
    kill_process(Pid::from_child(&running), Signal::TERM).unwrap();
    let begun = Instant::now();
    // More of the archive comes all the time.
    let status = loop {
        if let Some(status) = running.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(20) {
            running.kill().unwrap();
        }
        let _ = archive.write_all(&[0; 1 << 16]);
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(status.code(), Some(130), "{status:?}");
    assert_eq!(fs::read_dir(arena.path("temporary")).unwrap().count(), 0);
}
