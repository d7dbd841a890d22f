//! What a machine may lack and have again: processes, memory, room, descriptors.

use rustix::io::Errno;
use std::io;

/// Whether waiting may help: the machine lacks something now, and nothing is wrong otherwise.
pub fn is_shortage(error: &io::Error) -> bool {
    const PASSING: [Errno; 6] = [Errno::AGAIN, Errno::NOMEM, Errno::NOSPC, Errno::DQUOT, Errno::MFILE, Errno::NFILE];
    Errno::from_io_error(error).is_some_and(|errno| PASSING.contains(&errno))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_there_again_is_waited_for() {
        let of = |errno: Errno| is_shortage(&errno.into());
        assert!([Errno::AGAIN, Errno::NOSPC, Errno::MFILE].into_iter().all(of));
        assert!(![Errno::NOENT, Errno::ACCESS, Errno::IO].into_iter().any(of));
        assert!(!is_shortage(&io::Error::other("no error of the system")));
    }
}
