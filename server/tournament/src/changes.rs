//! Whether a pass through the schedule still has the clients with which it began: files come and go, and people
//! suspend clients and let them back.

use crate::controller::Controller;
use crate::event::RunEvent;
use crate::participants::Participants;
use crate::suspensions::Suspensions;
use crate::watch::Watch;
use agon_record::{Record, RunError};
use std::time::{Duration, Instant};

/// How often to look.
const INTERVAL: Duration = Duration::from_secs(1);

/// The changes since the pass began.
pub struct Changes {
    watch: Option<Watch>,
    /// The digest of the schedule.
    digest: String,
    looked: Instant,
    is_outdated: bool,
}

/// The sources and receivers of a look.
pub struct ChangeContext<'a, 'c> {
    pub participants: &'a Participants<'a>,
    /// The record of the suspensions.
    pub record: &'a dyn Record,
    /// The controller, which learns of them.
    pub controller: &'a mut Controller<'c>,
    /// The receiver of reports about changes.
    pub tell: &'a mut dyn FnMut(RunEvent),
}

impl Changes {
    pub fn new(watch: Option<Watch>, digest: String) -> Changes {
        Changes { watch, digest, looked: Instant::now(), is_outdated: false }
    }

    /// Whether the schedule should be passed through again with other clients, as far as is known; it looks now and
    /// then.
    pub fn look(&mut self, context: &mut ChangeContext) -> Result<bool, RunError> {
        if !self.is_outdated && self.looked.elapsed() >= INTERVAL {
            self.looked = Instant::now();
            self.is_outdated = self.has_change(context)?;
        }
        Ok(self.is_outdated)
    }

    /// Looks a last time, and waits for a change that is under way. If files may still `arrive`, it waits until the
    /// closing time or a stop.
    pub fn look_last(&mut self, context: &mut ChangeContext, arrive: bool) -> Result<bool, RunError> {
        self.is_outdated = self.is_outdated || self.has_change(context)?;
        let closing = self.watch.as_ref().and_then(Watch::open_until).filter(|_| arrive && !self.is_outdated);
        if let Some(closing) = closing {
            let note = format!("everything is played: new files are waited for until the closing time, {closing}");
            (context.tell)(RunEvent::Note(&note));
        }
        while !self.is_outdated && (closing.is_some() || self.watch.as_ref().is_some_and(Watch::is_unsettled)) {
            std::thread::sleep(INTERVAL);
            if context.controller.is_over() {
                break;
            }
            self.is_outdated = self.has_change(context)?;
        }
        Ok(self.is_outdated)
    }

    fn has_change(&mut self, context: &mut ChangeContext) -> Result<bool, RunError> {
        let ChangeContext { participants, record, controller, tell } = context;
        if !controller.take_suspensions(Suspensions::read(*record, participants, &self.digest)?) {
            return Ok(true);
        }
        let Some(watch) = &mut self.watch else { return Ok(false) };
        if watch.is_closed() {
            tell(RunEvent::Note("the closing time is reached: the clients are looked at for the last time"));
            return Ok(true);
        }
        let is_outdated = watch.is_outdated();
        if is_outdated {
            tell(RunEvent::Note("files have changed: the clients are looked at again"));
        }
        Ok(is_outdated)
    }
}
