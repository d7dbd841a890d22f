//! Keeps unacknowledged results of a worker on disk. A worker that was killed, or whose server was away for long,
//! delivers them when it comes again.

use agon_record::exchange::Delivery;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The folder of one record, for all workers of this machine.
pub struct Spool {
    folder: PathBuf,
    /// When it was opened, in nanoseconds: an earlier process may have had the same number.
    since: u128,
    /// A count that grows with each file of this process.
    count: u64,
    /// Whether the last file could not be written, which is reported once.
    is_full: bool,
}

/// Deliveries, with the file that contains them.
pub struct Spooled {
    /// The file; `None` where it could not be written.
    file: Option<PathBuf>,
    pub deliveries: Vec<Delivery>,
}

impl Spool {
    /// Opens a folder, and makes it if needed.
    pub fn open(folder: &Path) -> io::Result<Spool> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        Ok(Spool { folder: folder.to_owned(), since, count: 0, is_full: false })
    }

    /// The files that ended workers have left here. Unreadable files are removed: their leases run out.
    pub fn left(&self) -> io::Result<Vec<Spooled>> {
        let mut left = Vec::new();
        for file in fs::read_dir(&self.folder)? {
            let file = file?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let owner = name.split('-').next().and_then(|pid| pid.parse::<u32>().ok());
            if owner.is_some_and(|pid| pid != std::process::id() && Path::new("/proc").join(pid.to_string()).exists()) {
                continue;
            }
            match fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
                Some(deliveries) => left.push(Spooled { file: Some(file), deliveries }),
                // A file that cannot be removed does no harm.
                None => drop(fs::remove_file(&file)),
            }
        }
        Ok(left)
    }

    /// Writes deliveries down; if that fails, they are only in memory.
    pub fn keep(&mut self, deliveries: Vec<Delivery>) -> Spooled {
        self.count += 1;
        let file = self.folder.join(format!("{}-{}-{}.json", std::process::id(), self.since, self.count));
        let bytes = serde_json::to_vec(&deliveries).unwrap_or_default();
        match fs::write(&file, bytes) {
            Ok(()) => {
                self.is_full = false;
                Spooled { file: Some(file), deliveries }
            }
            Err(error) => {
                if !std::mem::replace(&mut self.is_full, true) {
                    tracing::warn!(
                        "{}: {error}; the worker goes on, but if it is killed, its undelivered blocks are played again; \
                         help: free some space, or choose another --cache",
                        file.display()
                    );
                }
                let _ = fs::remove_file(&file);
                Spooled { file: None, deliveries }
            }
        }
    }
}

impl Spooled {
    /// Removes a file that was acknowledged, or that nobody wants.
    pub fn remove(self) {
        if let Some(file) = &self.file {
            // If it stays, it is delivered once more, which does no harm.
            let _ = fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::LadderId;
    use agon_record::exchange::Lease;

    #[test]
    fn what_a_dead_worker_left_is_found_and_what_is_cut_off_removed() {
        let folder = std::env::temp_dir().join(format!("agon-spool-{}", std::process::id()));
        let mut spool = Spool::open(&folder).unwrap();
        let lease = Lease { ladder: LadderId(1), block: "0".to_owned(), number: 2, proof: "p".to_owned() };
        let delivery = Delivery { key: "k".to_owned(), lease, content: Err("void".to_owned()) };
        let kept = spool.keep(vec![delivery.clone()]);
        // The number of no process, and one that always belongs to a process.
        fs::copy(kept.file.as_ref().unwrap(), folder.join("4194999-1.json")).unwrap();
        fs::copy(kept.file.as_ref().unwrap(), folder.join("1-1.json")).unwrap();
        kept.remove();
        fs::write(folder.join("4194999-2.json"), "[{").unwrap();
        let left = spool.left().unwrap();
        assert_eq!(left.iter().map(|one| one.deliveries.clone()).collect::<Vec<_>>(), [vec![delivery]]);
        assert!(!folder.join("4194999-2.json").exists() && folder.join("1-1.json").exists());
        left.into_iter().for_each(Spooled::remove);
        assert!(spool.left().unwrap().is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
