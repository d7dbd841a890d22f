//! Shortages of a machine that may pass: processes, memory, space, descriptors.

use rustix::io::Errno;
use std::io;

/// Whether waiting may help: the machine only lacks something at the moment.
pub fn is_shortage(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, OutOfMemory, QuotaExceeded, StorageFull, WouldBlock};
    let is_of_descriptors =
        Errno::from_io_error(error).is_some_and(|errno| [Errno::MFILE, Errno::NFILE].contains(&errno));
    // An error with added text has only a kind.
    is_of_descriptors || matches!(error.kind(), WouldBlock | OutOfMemory | StorageFull | QuotaExceeded | FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_there_again_is_waited_for() {
        let of = |errno: Errno| is_shortage(&errno.into());
        assert!(
            [Errno::AGAIN, Errno::NOSPC, Errno::MFILE, Errno::DQUOT, Errno::NOMEM, Errno::FBIG].into_iter().all(of)
        );
        assert!(is_shortage(&io::Error::new(io::ErrorKind::StorageFull, "with more words")));
        assert!(![Errno::NOENT, Errno::ACCESS, Errno::IO].into_iter().any(of));
        assert!(!is_shortage(&io::Error::other("no error of the system")));
    }
}
