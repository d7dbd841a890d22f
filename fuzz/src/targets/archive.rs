//! An archive that somebody handed in, unpacked as `agon build` does, with less room: nothing is written but below its
//! folder. The first byte says which kind it is.

use crate::scratch::folder;
use agon_authoring::build::{UnpackLimits, client_name, unpack};
use std::fs;

const MOST: UnpackLimits = UnpackLimits { files: 200, bytes: 1 << 20, submissions: 4 };

pub fn run(bytes: &[u8]) {
    let Some((kind, content)) = bytes.split_first() else { return };
    let folder = folder("archive");
    let ending = ["zip", "tar", "tar.gz"][usize::from(*kind) % 3];
    let (file, to) = (folder.join(format!("x.{ending}")), folder.join("to"));
    let _ = fs::remove_dir_all(&to);
    if fs::write(&file, content).is_err() {
        return;
    }
    if let Ok(left_out) = unpack(&file, &to, MOST) {
        assert!(left_out.len() <= 21 * (MOST.files + 1), "what is left out of one submission is counted, not listed");
        let entries = fs::read_dir(&to).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string());
        names.for_each(|name| assert!(name.is_ok_and(|name| !client_name(&name).is_empty()), "a name in no UTF-8"));
    }
    let _ = fs::remove_file(&file);
    let beside = fs::read_dir(&folder).into_iter().flatten().flatten().filter(|entry| entry.file_name() != "to");
    assert_eq!(beside.count(), 0, "something was written beside the folder");
}
