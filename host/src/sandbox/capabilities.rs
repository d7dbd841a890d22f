//! Part of layer 2: gives up for good what root may do beyond other users.
#![expect(unsafe_code)]

use super::{last_error, mutants};

/// The version of the structs below that knows 64 capabilities.
const VERSION: u32 = 0x2008_0522;

#[repr(C)]
struct Header {
    version: u32,
    process: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Half {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Drops all capabilities from every set. An ordinary user has none, and cannot get any without new privileges.
pub(super) fn drop_all() -> Result<(), String> {
    let mut header = Header { version: VERSION, process: 0 };
    let mut had = [Half::default(); 2];
    // SAFETY: both pointers are those of live structs as this version of the call wants them.
    if unsafe { libc::syscall(libc::SYS_capget, &raw mut header, had.as_mut_ptr()) } != 0 {
        return Err(last_error("capabilities"));
    }
    if had.iter().all(|half| half.permitted == 0 && half.inheritable == 0) {
        return Ok(());
    }
    drop_bounding();
    if mutants::leaves_out("privileges", "capabilities") {
        return Ok(());
    }
    let none = [Half::default(); 2];
    // SAFETY: as above. The ambient set follows the permitted one.
    if unsafe { libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()) } != 0 {
        return Err(last_error("capabilities"));
    }
    Ok(())
}

/// Drops the capabilities that a program could be given, and root's special meaning to the kernel. Without the right to
/// change these, no process can use them. A fork server does it once for all its children, who need their capabilities
/// until they have found their client's file.
pub(super) fn drop_bounding() {
    /// Root's number and a change of user give nothing, and both stay so: SECBIT_NOROOT to
    /// SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED, except those that would keep capabilities.
    const SECURE: libc::c_ulong = 0b1110_1111;
    // SAFETY: these calls of prctl take numbers only.
    unsafe {
        if libc::prctl(libc::PR_GET_SECUREBITS) as libc::c_ulong == SECURE {
            return;
        }
        let last = if mutants::leaves_out("privileges", "bounding set") { 0 } else { 64 };
        for capability in 0..last as libc::c_ulong {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 {
                break; // no right to, or behind the last one that this kernel knows
            }
        }
        if !mutants::leaves_out("privileges", "secure bits") {
            libc::prctl(libc::PR_SET_SECUREBITS, SECURE, 0, 0, 0);
        }
    }
}
