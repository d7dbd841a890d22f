//! The key that identifies a worker's machine: it is made at the first join, and kept with the worker's files.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The key of this machine, with its file in a folder. Machines that share the folder have different keys.
pub fn identity(folder: &Path) -> io::Result<String> {
    let file = folder.join("key");
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file) {
        Ok(mut made) => made.write_all(draw_identity().as_bytes())?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let key = fs::read_to_string(&file)?;
    let machine = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Ok(blake3::hash(format!("{key} {} {host}", machine.trim()).as_bytes()).to_hex().to_string())
}

pub fn draw_identity() -> String {
    rand::random::<[u8; 32]>().iter().fold(String::new(), |mut text, byte| {
        // Writing to a text never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_machine_keeps_its_key_and_nobody_else_reads_it() {
        let folders = ["one", "two"].map(|name| {
            let folder = std::env::temp_dir().join(format!("agon-key-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            folder
        });
        let [one, again, other] = [&folders[0], &folders[0], &folders[1]].map(|folder| identity(folder).unwrap());
        assert_eq!((one.len(), &one), (64, &again));
        assert_ne!(one, other);
        assert_eq!(fs::metadata(folders[0].join("key")).unwrap().permissions().mode() & 0o777, 0o600);
        folders.iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
    }
}
