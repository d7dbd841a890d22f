//! Archives that lie reach nothing, and everybody in an archive has one line.

use super::{CLIENT, has_tools, zip};
use crate::builder::Arena;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

#[test]
fn archives_that_lie_reach_nothing() {
    let arena = Arena::new();
    let inside = arena.path("deep/down");
    fs::create_dir_all(&inside).unwrap();
    zip(
        &inside.join("liar.zip"),
        &[
            ("../../written", b"x"),
            ("/tmp/agon-written", b"x"),
            ("ok/Makefile", b"all:\n\techo > x.so\n"),
            ("ok/../../y", b"x"),
        ],
    );
    let ran = arena.agon(["build", "deep/down/liar.zip"]);
    assert!(ran.stdout.contains("left out: ../../written: its name leads out of the archive"), "{ran:?}");
    // Links and devices.
    let mut archive =
        tar::Builder::new(GzEncoder::new(File::create(arena.path("links.tar.gz")).unwrap(), Compression::fast()));
    for (name, kind, to) in
        [("a/link", tar::EntryType::Symlink, "/etc"), ("a/hard", tar::EntryType::Link, "/etc/passwd")]
    {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        archive.append_link(&mut header, name, to).unwrap();
    }
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Fifo);
    header.set_path("a/pipe").unwrap();
    header.set_size(0);
    header.set_cksum();
    archive.append(&header, std::io::empty()).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    archive.append_data(&mut header, "a/link/passwd", &b"x"[..]).unwrap();
    archive.into_inner().unwrap().finish().unwrap();
    let ran = arena.agon(["build", "links.tar.gz"]);
    for name in ["a/link", "a/hard", "a/pipe"] {
        assert!(ran.stdout.contains(&format!("left out: {name}: it is not a file")), "{ran:?}");
    }
    assert!(
        !arena.path("written").exists()
            && !arena.path("deep/written").exists()
            && !Path::new("/tmp/agon-written").exists()
    );
    // More than it says.
    let zeros = vec![0; 1 << 20];
    let mut archive = ZipWriter::new(File::create(arena.path("bomb.zip")).unwrap());
    archive.start_file("zeros", SimpleFileOptions::default()).unwrap();
    for _ in 0..600 {
        archive.write_all(&zeros).unwrap();
    }
    archive.finish().unwrap();
    // One place that is none does not keep the others from being built.
    for (name, content) in [("short.zip", &b"PK\x03\x04"[..]), ("none.tar.gz", b"x"), ("other.rar", b"Rar!")] {
        arena.file(name, content);
    }
    let ran = arena.agon(["build", "bomb.zip", "short.zip", "none.tar.gz", "other.rar"]);
    assert_eq!(ran.status, Some(4), "{ran:?}");
    let said = "refused  bomb: nothing of it could be unpacked: zeros: with it there are more than 512 MiB";
    assert!(ran.stdout.contains(said), "{ran:?}");
    assert_eq!(ran.stdout.matches(": it cannot be unpacked: ").count(), 3, "{ran:?}");
    let ran = arena.agon(["build", "nothing.zip"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("nothing.zip is not there; help: "), "{ran:?}");
    zip(&arena.path("twice.zip"), &[("ada_1_2_x/a.txt", b""), ("ada_3_4_y/a.txt", b""), ("ada_5_6_z/.agon-tmp", b"")]);
    let ran = arena.agon(["build", "twice.zip"]);
    for name in [
        "refused  ada: ",
        "refused  ada-2: ",
        "refused  ada-3: ",
        "         another client is called ada, so this one is ada-2",
    ] {
        assert!(ran.stdout.contains(name), "{ran:?}");
    }
}

/// An entry of a tar with its name as it is, whatever bytes that has.
fn append(archive: &mut tar::Builder<File>, name: &[u8], content: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.set_mode(0o644);
    if name.len() > 100 {
        let mut long = header.clone();
        long.set_entry_type(tar::EntryType::GNULongName);
        long.set_size(name.len() as u64 + 1);
        long.set_cksum();
        archive.append(&long, [name, b"\0"].concat().as_slice()).unwrap();
    } else {
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
    }
    header.set_size(content.len() as u64);
    header.set_cksum();
    archive.append(&header, content).unwrap();
}

/// One student's names, archives and empty folders cost nobody else anything, and everybody has a line.
#[test]
fn everybody_in_an_archive_has_one_line() {
    if !has_tools() {
        return;
    }
    let arena = Arena::new();
    let client = CLIENT.as_bytes();
    let long = "x".repeat(300);
    zip(&arena.path("nested.zip"), &[("mybot.c", client)]);
    let nested = fs::read(arena.path("nested.zip")).unwrap();
    let file = |name: &str, number: u32, file: &str| format!("{name}_{number}_assignsubmission_file_/{file}");
    let text = |name: &str, number: u32| format!("{name}_{number}_assignsubmission_onlinetext_/onlinetext.html");
    let files = [
        (file("Ada", 1, "bot.c"), client),
        (text("Ada", 1), b"<p>mine</p>"),
        (file("Bob", 2, &format!("{long}.c")), client),
        (text("Bob", 2), b"<p>see the file</p>"),
        (file("Carl", 3, &format!("{long}/notes.txt")), b"x"),
        (file("Carl", 3, "bot.c"), client),
        (file(&long, 4, "bot.c"), client),
        (file("Dora", 5, "mine.zip"), &nested),
        (file("Dora", 5, "old.zip"), b"PK, but none"),
        (file("Eve", 6, "only.zip"), b"PK, but none"),
        (file("Fay", 7, "bot.rar"), b"Rar!"),
        (text("Gil", 8), b"<p>I did not manage</p>"),
        // Another one of the first one's name.
        (file("Ada", 9, "bot.c"), client),
    ];
    let mut archive = ZipWriter::new(File::create(arena.path("class.zip")).unwrap());
    for (name, content) in &files {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.add_directory("Hal_10_assignsubmission_file_/", SimpleFileOptions::default()).unwrap();
    archive.finish().unwrap();
    let ran = arena.agon(["build", "class.zip"]);
    for said in [
        "built    clients/Ada.so",
        "built    clients/Ada-2.so",
        "refused  Bob: it has no Makefile",
        "built    clients/Carl.so",
        "refused  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: nothing of it could be unpacked: xxxx",
        "its name is too long for a file",
        "built    clients/Dora.so",
        "left out: old.zip: it cannot be unpacked",
        "refused  Eve: nothing of it could be unpacked: only.zip: it cannot be unpacked",
        "refused  Fay: bot.rar is an archive that agon does not open",
        "refused  Gil: it has no Makefile",
        "refused  Hal: nothing was submitted: the folder is empty",
        "4 of 10 built",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    assert!(ran.status == Some(4) && ran.stdout.matches("left out: ").count() == 3, "{}", ran.stdout);
    // Files without folders, as Canvas gives them and Moodle can; and names in no UTF-8.
    zip(
        &arena.path("flat.zip"),
        &[
            ("ada_1_2_bot.c", client),
            ("bob_LATE_3_4_bot.c", client),
            ("bob_LATE_3_5_notes.txt", b"x"),
            ("Carl_6_assignsubmission_file_bot.c", client),
            ("dora_7_8_report.txt", b"x"),
        ],
    );
    let ran = arena.agon(["build", "flat.zip", "--out", "flat"]);
    assert!(ran.stdout.contains("3 of 4 built") && ran.stdout.contains("refused  dora: "), "{ran:?}");
    let mut archive = tar::Builder::new(File::create(arena.path("names.tar")).unwrap());
    append(&mut archive, b"class/Ren\xe9/bot.c", client);
    append(&mut archive, b"class/M\xfcller/bot.c", client);
    append(&mut archive, format!("class/long/{long}").as_bytes(), client);
    append(&mut archive, b"class/x.so/notes.txt", b"x");
    append(&mut archive, b"/etc/absolute.c", client);
    archive.into_inner().unwrap();
    let ran = arena.agon(["build", "names.tar", "--out", "names"]);
    for said in [
        "built    names/René.so",
        "built    names/Müller.so",
        "refused  long: nothing of it could be unpacked",
        "refused  x.so: it has no Makefile",
        "left out: /etc/absolute.c: its name leads out of the archive",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
}

/// What cannot be built for a reason that its author can see has a line with that reason.
#[test]
fn hidden_folders_and_libraries_of_other_systems_are_refused_by_name() {
    let arena = Arena::new();
    let script = b"#!/usr/bin/python3\n";
    zip(
        &arena.path("class.zip"),
        &[("Bob/bot.py", script), (".anna/bot.py", script), ("Cy/bot.dll", b"MZ"), (".git/hooks/x.py", script)],
    );
    let ran = arena.agon(["build", "class.zip", "-g", "grundy"]);
    let hidden = "refused  anna: its folder, .anna, begins with a dot, which hides it; help: rename the folder\n";
    assert!(ran.stdout.contains(hidden), "{ran:?}");
    assert!(
        ran.stdout.contains("refused  Cy: bot.dll is a Windows library, which does not run on Linux; help: "),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("1 of 3 built"), "{ran:?}");
}

/// Canvas keeps the number of a person: of two archives of one person the newest submission counts, in whatever order.
#[test]
fn one_person_in_two_archives_has_one_client_by_the_newest() {
    let script = |text: &str| format!("#!/usr/bin/python3\n# {text}\n").into_bytes();
    let arena = Arena::new();
    zip(&arena.path("week1.zip"), &[("ada_1_2_bot.py", &script("old")), ("bob_3_4_bot.py", &script("bob"))]);
    zip(&arena.path("week2.zip"), &[("ada_1_9_bot.py", &script("new")), ("cy_5_10_bot.py", &script("cy"))]);
    for order in [["week1.zip", "week2.zip"], ["week2.zip", "week1.zip"], ["week2.zip", "week1.zip"]] {
        let ran = arena.agon(["build", order[0], order[1], "-g", "grundy", "--replace"]);
        assert!(ran.stdout.contains("3 of 3 built") && ran.status == Some(0), "{ran:?}");
        assert!(ran.stdout.contains("left out: an earlier submission of the same author, next to "), "{ran:?}");
        let ada = fs::read_to_string(arena.path("clients/ada.py")).unwrap();
        assert!(ada.contains("# new"), "{ada}");
    }
    // Of two attempts in one archive the newest counts, too.
    let attempt = |day: u32| format!("A 1_eve_attempt_2026-11-{day}-10-00-00_bot.py");
    zip(&arena.path("board.zip"), &[(&attempt(24), &script("first")), (&attempt(25), &script("second"))]);
    let ran = arena.agon(["build", "board.zip", "-g", "grundy"]);
    assert!(ran.stdout.contains("it was submitted twice; the newest one counts"), "{ran:?}");
    assert!(fs::read_to_string(arena.path("clients/eve.py")).unwrap().contains("# second"));
}
