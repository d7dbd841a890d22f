//! Archives, sound, damaged and with names of any bytes, are unpacked or refused.

use super::*;
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An archive of two files and a folder.
fn sound(kind: ArchiveKind) -> Vec<u8> {
    let files = [("a/b.c", &b"int x;\n"[..]), ("Makefile", &[b'x'; 3_000])];
    if kind == ArchiveKind::Zip {
        let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, content) in files {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(content).unwrap();
        }
        return archive.finish().unwrap().into_inner();
    }
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, content).unwrap();
    }
    archive.into_inner().unwrap()
}

fn try_unpack(kind: ArchiveKind, bytes: &[u8]) -> Result<Vec<LeftOut>, String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, to) =
        (folder.path().join(if kind == ArchiveKind::Zip { "x.zip" } else { "x.tar" }), folder.path().join("to"));
    fs::write(&file, bytes).unwrap();
    let result = unpack(&file, &to, UnpackLimits { files: 50, bytes: 1 << 20, submissions: 1 });
    let all: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(all.iter().all(|name| name == "to" || name == file.file_name().unwrap()), "{all:?}");
    result
}

#[test]
fn names_of_zips_are_read_as_they_were_meant() {
    for (raw, by_code_page, name) in [
        ("René/x.c".as_bytes(), "?", "René/x.c"),
        (b"Ren\xe9.so", "Ren\u{398}.so", "René.so"),
        (b"Ren\x82.so", "René.so", "René.so"),
        (b"src\\bot.c", "?", "src/bot.c"),
        (b"a/b\\c", "?", "a/b\\c"),
    ] {
        assert_eq!(zip_name(raw, by_code_page), name, "{raw:?}");
    }
}

/// A tar of these entries, each with its name as it is.
fn tar_of(entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn an_entry_that_cannot_be_copied_does_not_keep_the_others() {
    let entries: [(&[u8], &[u8]); 8] = [
        (b"ok.c", b"x"),
        (b"/absolute", b"x"),
        (b"../out", b"x"),
        (b"ok.c/below", b"x"),
        (b"Ren\xe9", b"x"),
        (b"twice", b"1"),
        (b"twice", b"2"),
        (b"large", &[b'x'; 2_000_000]),
    ];
    let left_out = try_unpack(ArchiveKind::Tar, &tar_of(&entries)).unwrap();
    let left_out: Vec<String> = left_out.into_iter().map(|left| format!("{}: {}", left.name, left.why)).collect();
    assert_eq!(
        left_out,
        [
            "/absolute: its name leads out of the archive",
            "../out: its name leads out of the archive",
            "ok.c/below: it is a file and a folder at once",
            "twice: another entry has its name; the last one counts",
            "large: with it there are more than 1 MiB",
        ]
    );
    let many: Vec<(Vec<u8>, &[u8])> = (0..100).map(|number| (format!("{number}").into_bytes(), &b"x"[..])).collect();
    let many: Vec<(&[u8], &[u8])> = many.iter().map(|(name, content)| (name.as_slice(), *content)).collect();
    let left_out = try_unpack(ArchiveKind::Tar, &tar_of(&many)).unwrap();
    assert!(left_out.iter().all(|left| left.why == "with it there are more than 50 files"), "{left_out:?}");
}

#[test]
fn a_name_that_never_ends_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.tar");
    let mut archive = tar::Builder::new(Vec::new());
    let name = vec![b'a'; 3_000_000];
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(name.len() as u64);
    header.set_cksum();
    archive.append(&header, name.as_slice()).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    header.set_cksum();
    archive.append(&header, &b"x"[..]).unwrap();
    fs::write(&file, archive.into_inner().unwrap()).unwrap();
    let left_out = unpack(&file, &folder.path().join("to"), UnpackLimits::ONE).unwrap();
    assert_eq!((left_out.len(), left_out[0].why.as_str()), (1, TOO_LONG));
    assert!(left_out[0].name.len() <= LONGEST_NAME);
}

/// Entries become links and a pipe after they were listed: the copy waits at a pipe in the place of its first file.
#[test]
fn what_is_changed_while_it_is_copied_leads_nowhere_else() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let pipe = |name: &str| mknodat(CWD, path(name), FileType::Fifo, Mode::RWXU, 0).unwrap();
    fs::create_dir_all(path("from/folder")).unwrap();
    fs::create_dir_all(path("private")).unwrap();
    fs::create_dir_all(path("to")).unwrap();
    for name in ["private/secret", "from/file", "from/folder/secret", "from/pipe", "from/sound"] {
        fs::write(path(name), name).unwrap();
    }
    fs::write(path("from/a"), vec![b'x'; 1 << 20]).unwrap();
    pipe("to/a");
    let (from, to) = (path("from"), path("to"));
    let (tell, told) = std::sync::mpsc::channel();
    let copy = std::thread::spawn(move || tell.send(unpack(&from, &to, UnpackLimits::ONE)));
    let mut gate = File::open(path("to/a")).unwrap();
    for name in ["from/file", "from/pipe"] {
        fs::remove_file(path(name)).unwrap();
    }
    fs::remove_dir_all(path("from/folder")).unwrap();
    symlink(path("private/secret"), path("from/file")).unwrap();
    symlink(path("private"), path("from/folder")).unwrap();
    pipe("from/pipe");
    io::copy(&mut gate, &mut io::sink()).unwrap();
    let left_out = told.recv_timeout(std::time::Duration::from_secs(60)).expect("a pipe holds nobody up").unwrap();
    copy.join().unwrap().unwrap();
    for name in ["file", "folder", "pipe"] {
        assert!(left_out.iter().any(|left| left.name == name && left.why.contains("not a file")), "{left_out:?}");
    }
    assert!(!path("to/file").exists() && !path("to/folder").exists(), "{left_out:?}");
    assert_eq!(fs::read_to_string(path("to/sound")).unwrap(), "from/sound");
}

/// A tar of entries, each with a folder and a name of this length of its own.
fn long_names(file: &Path, count: usize, length: usize) {
    let mut archive = tar::Builder::new(File::create(file).unwrap());
    for number in 0..count {
        let name = format!("s{number}_1_x/{}", "n".repeat(length));
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(EntryType::GNULongName);
        header.set_size(name.len() as u64);
        header.set_cksum();
        archive.append(&header, name.as_bytes()).unwrap();
        let mut header = tar::Header::new_gnu();
        header.set_size(0);
        header.set_cksum();
        archive.append(&header, io::empty()).unwrap();
    }
    archive.into_inner().unwrap();
}

#[test]
fn many_long_names_take_little_memory_and_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.tar");
    for (length, why) in [(65_000, "its name has more than 4096 bytes"), (4_000, "its name is too long for a file")] {
        long_names(&file, 1_500, length);
        let left_out = unpack(&file, &folder.path().join("to"), UnpackLimits::CLASS).unwrap();
        let kept: usize = left_out.iter().map(|left| left.name.len()).sum();
        assert!(left_out.len() < 1_100 && kept < 1_100 * 4_200, "{} entries of {kept} bytes", left_out.len());
        assert_eq!(left_out[0].why, why);
        let (last, rest) = (left_out.last().unwrap(), "500 were left out and are not listed");
        assert_eq!((last.name.as_str(), last.why.as_str()), ("further entries", rest));
    }
}

/// Each of them is somebody's, so the list is asked for each.
#[test]
fn many_authors_with_many_faults_are_told_apart_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.tar");
    long_names(&file, 2_500, 2_000);
    let begun = std::time::Instant::now();
    let submissions = super::super::submission::find(&[file], &folder.path().join("to"), &AtomicBool::new(false));
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
    assert!(
        (1_000..1_100).contains(&submissions.len()) && submissions.iter().all(|one| one.folder.is_err()),
        "{}",
        submissions.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn damaged_archives_are_refused_or_read(
        is_zip: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        is_cut: bool,
    ) {
        let kind = if is_zip { ArchiveKind::Zip } else { ArchiveKind::Tar };
        let mut bytes = sound(kind);
        prop_assert_eq!(try_unpack(kind, &bytes), Ok(Vec::new()));
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // Unpacking ends for any bytes, and writes nothing outside its folder.
        let _ = try_unpack(kind, &bytes);
    }
}
