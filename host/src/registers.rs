//! The registers of the thread that a signal interrupted; only this file differs between processors.
#![expect(unsafe_code)]

use std::ffi::c_void;

/// A thread's registers, as the kernel left them on the signal's stack.
pub(crate) struct Registers(*mut libc::ucontext_t);

impl Registers {
    /// Takes the third argument of a signal handler.
    ///
    /// # Safety
    /// `context` is that argument, and the handler still runs.
    pub(crate) unsafe fn of(context: *mut c_void) -> Registers {
        Registers(context.cast())
    }
}

#[cfg(target_arch = "x86_64")]
impl Registers {
    fn get(&self, register: i32) -> u64 {
        // SAFETY: the context outlives the handler, and the index is one of libc's constants.
        unsafe { (*self.0).uc_mcontext.gregs[register as usize] as u64 }
    }

    /// The number of the system call that was stopped.
    pub(crate) fn call(&self) -> i64 {
        self.get(libc::REG_RAX) as i64
    }

    /// The arguments of that call.
    pub(crate) fn arguments(&self) -> [u64; 6] {
        use libc::{REG_R8, REG_R9, REG_R10, REG_RDI, REG_RDX, REG_RSI};
        [REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9].map(|register| self.get(register))
    }

    /// Gives the call this result.
    pub(crate) fn answer(&self, result: i64) {
        // SAFETY: as in `get`; the thread goes on with this value when the handler returns.
        unsafe { (*self.0).uc_mcontext.gregs[libc::REG_RAX as usize] = result }
    }

    /// The top of the thread's stack.
    pub(crate) fn stack(&self) -> u64 {
        self.get(libc::REG_RSP)
    }

    /// The address of the interrupted instruction.
    pub(crate) fn instruction(&self) -> u64 {
        self.get(libc::REG_RIP)
    }

    /// The access that the thread tried at an address, after a page fault.
    pub(crate) fn access(&self) -> &'static str {
        match self.get(libc::REG_ERR) {
            fault if fault & 16 != 0 => "call of a function",
            fault if fault & 2 != 0 => "write",
            _ => "read",
        }
    }
}

#[cfg(target_arch = "aarch64")]
impl Registers {
    /// The number of the system call that was stopped.
    pub(crate) fn call(&self) -> i64 {
        // SAFETY: the context outlives the handler.
        unsafe { (*self.0).uc_mcontext.regs[8] as i64 }
    }

    /// The arguments of that call.
    pub(crate) fn arguments(&self) -> [u64; 6] {
        // SAFETY: as in `call`.
        let registers = unsafe { &(*self.0).uc_mcontext.regs };
        std::array::from_fn(|index| registers[index])
    }

    /// Gives the call this result.
    pub(crate) fn answer(&self, result: i64) {
        // SAFETY: as in `call`; the thread goes on with this value when the handler returns.
        unsafe { (*self.0).uc_mcontext.regs[0] = result as u64 }
    }

    /// The top of the thread's stack.
    pub(crate) fn stack(&self) -> u64 {
        // SAFETY: as in `call`.
        unsafe { (*self.0).uc_mcontext.sp }
    }

    /// The address of the interrupted instruction.
    pub(crate) fn instruction(&self) -> u64 {
        // SAFETY: as in `call`.
        unsafe { (*self.0).uc_mcontext.pc }
    }

    /// The access that the thread tried at an address, after a page fault; this processor does not report it.
    pub(crate) fn access(&self) -> &'static str {
        "read or write"
    }
}
