//! A client's trouble in words for its author, and the ends for which it plays again.

use super::Process;
use crate::Trouble;
use crate::own_name::with_own_name;
use crate::verdict;
use agon_model::Fault;

impl Process {
    /// Rewrites a program's trouble in words for its author.
    pub(super) fn advised(&self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Fault(fault) => {
                let fault = if self.program.is_some() { verdict::program::advised(*fault) } else { *fault };
                Trouble::Fault(Box::new(Fault { message: self.with_its_name(&fault.message), ..fault }))
            }
            Trouble::Excused(mut excused) if self.program.is_some() => {
                excused.fault = verdict::program::advised(excused.fault);
                Trouble::Excused(excused)
            }
            trouble => trouble,
        }
    }

    /// A client that ended while it started, and while files of the system or of an opened folder changed, plays again: it
    /// may have missed one. It does so as often as a void block is played again: no client can change these files.
    pub(super) fn without_changes(&mut self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Fault(fault) if fault.kind.may_be_for_want_of_a_file() && self.system.have_changed() => {
                self.launch.launcher.renew();
                Trouble::Void(verdict::ended_by_a_change(&self.with_its_name(&fault.message)))
            }
            trouble => trouble,
        }
    }

    /// A client that ended in its match while a folder that it may have read from is away plays again.
    pub(super) fn without_losses(&self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Fault(fault) if fault.kind.may_be_for_want_of_a_file() && self.system.have_lost_a_folder() => {
                Trouble::Void(verdict::ended_by_a_change(&self.with_its_name(&fault.message)))
            }
            trouble => trouble,
        }
    }

    /// Replaces the copy's name in a client's prints and the loader's messages.
    pub(super) fn with_its_name(&self, text: &str) -> String {
        with_own_name(text, &self.launch.files.library.to_string_lossy(), &self.launch.file_name)
    }
}
