//! The player as the referee asks it.

use super::Process;
use crate::clock::Allowance;
use crate::host::Host;
use crate::verdict::Moment;
use crate::{Answer, Player, PlayerSummary, Thought, Trouble};
use agon_abi::Blob;
use agon_games::{MoveBytes, Seat};
use agon_model::{ClockKind, NoticeKind, Phase};
use std::time::Duration;

impl Player for Process {
    fn start(&mut self, seat: Seat, setup: &Blob) -> Result<(), Trouble> {
        self.seat = seat;
        self.begin(setup).map_err(|trouble| {
            let trouble = self.without_changes(trouble);
            self.advised(trouble)
        })
    }

    fn ask(&mut self, turn: &Blob, ply: u32, allowance: Allowance) -> Result<(), Trouble> {
        self.send_turn(turn, ply, allowance).map_err(|trouble| self.advised(self.without_losses(trouble)))
    }

    fn answer(&mut self, patience: Duration) -> Option<Result<Answer, Trouble>> {
        let host = self.host.as_mut()?;
        let result = host.receive(patience, self.moment, &self.launch.limits)?;
        let limit_us = host.limit_us();
        if let (Ok((_, spent)), ClockKind::Wall) = (&result, self.launch.time.clock) {
            self.note_waiting(*spent, limit_us);
        }
        let result = result.map_err(|trouble| self.advised(self.without_losses(trouble)));
        Some(result.map(|(reply, spent)| {
            let length = (reply.length as usize).min(reply.body.len());
            let usage = &mut self.summary.usage;
            usage.play_cpu_us += spent.cpu_us;
            usage.play_wall_us += spent.wall_us;
            usage.slowest_us = usage.slowest_us.max(spent.on(self.launch.time.clock));
            let kept_off_us = match self.launch.time.clock {
                ClockKind::Cpu => spent.kept_off_us,
                // The wall time excludes it already.
                ClockKind::Wall => 0,
            };
            let mv = MoveBytes::new(&reply.body[..length]);
            Answer { mv, cpu_us: spent.cpu_us, wall_us: spent.wall_us, kept_off_us }
        }))
    }

    fn thought(&mut self) -> Thought {
        let Moment { phase, ply } = self.moment;
        let Some(host) = &mut self.host else { return Thought::default() };
        host.drain_all(phase, ply);
        host.lines().thought_in(phase, ply)
    }

    fn watch(&mut self, ply: u32) {
        self.wake();
        if self.pending.is_some() {
            return;
        }
        let moment = Moment { phase: Phase::Waiting, ply };
        let limits = &self.launch.limits;
        if let Some(host) = &mut self.host {
            self.pending = host.judge_out_of_turn(moment).and_then(|_| host.judge_holdings(moment, limits)).err();
            if self.pending.is_some() {
                host.kill();
            }
        }
    }

    fn rest(&mut self, ply: u32) {
        self.moment.ply = ply;
        if self.pending.is_none() && self.host.as_ref().is_some_and(Host::is_running) {
            self.lay_to_rest(false);
        }
    }

    fn dismiss(&mut self, ply: u32, finalize: bool) -> PlayerSummary {
        self.wake();
        self.moment.ply = ply;
        let (mut stays, mut finalized) = (false, false);
        if finalize && self.pending.is_none() && self.host.as_ref().is_some_and(Host::is_running) {
            self.note_blocked_signals();
            finalized = self.finalize();
            stays = finalized && self.launch.keep;
        }
        self.collect(stays, finalized);
        // The result stands.
        if let Some(Trouble::Fault(fault)) = self.pending.take().filter(|_| finalize) {
            self.note(NoticeKind::Finalize, fault.message);
        }
        self.summary.notices = std::mem::take(&mut self.notices);
        std::mem::take(&mut self.summary)
    }
}
