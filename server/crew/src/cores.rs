//! The cores on which this process plays. Each process marks its cores, so that several processes of one machine share
//! them only when none is left.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io::{self, ErrorKind};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The cores of each job.
#[derive(Debug, Default)]
pub struct TakenCores {
    /// The cores of each job.
    pub jobs: Vec<Vec<usize>>,
    /// The marks, by which other processes see that the cores are taken.
    _marks: Vec<UnixDatagram>,
}

/// The most processes that are counted on one core.
const MOST_SHARING: usize = 16;

/// Takes cores for `jobs` workers, first those with the fewest other processes; `None` = as many workers as the cores
/// allow.
pub fn take_cores(jobs: Option<usize>, threads: u32) -> Result<TakenCores, String> {
    let all = share_cores(None, 1)?.concat();
    let many = share_cores(jobs, threads)?.len() * threads as usize;
    let (mut cores, mut marks) = (Vec::new(), Vec::new());
    for sharing in 0..=MOST_SHARING {
        for &core in &all {
            if cores.len() == many {
                break;
            }
            if cores.contains(&core) {
                continue;
            }
            match mark(core, sharing) {
                Ok(mark) => {
                    cores.push(core);
                    marks.push(mark);
                }
                // A process that sees no marks, or too many, plays nevertheless.
                Err(error) if error.kind() != ErrorKind::AddrInUse || sharing == MOST_SHARING => cores.push(core),
                Err(_) => {}
            }
        }
    }
    cores.sort_unstable();
    Ok(TakenCores { jobs: cores.chunks_exact(threads as usize).map(<[usize]>::to_vec).collect(), _marks: marks })
}

/// A name that only one process can have, and that is free once that process has ended.
fn mark(core: usize, sharing: usize) -> io::Result<UnixDatagram> {
    UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(format!("agon plays on core {core}, {sharing}"))?)
}

/// The cores that each of `jobs` workers gets; `None` = as many workers as the cores allow.
///
/// # Errors
/// There are fewer cores than that; the error is a sentence with what to do.
pub fn share_cores(jobs: Option<usize>, threads: u32) -> Result<Vec<Vec<usize>>, String> {
    let allowed = sched_getaffinity(None).map_err(|error| format!("the cores cannot be listed: {error}"))?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let (threads, most) = (threads as usize, cores.len() / threads.max(1) as usize);
    if most == 0 {
        return Err(format!("clients of {threads} threads need {threads} cores, this machine has {}", cores.len()));
    }
    let jobs = jobs.unwrap_or(most);
    if jobs > most {
        let each = if threads == 1 { String::new() } else { format!(" of {threads} threads") };
        let cores = if cores.len() == 1 { "1 core".to_owned() } else { format!("{} cores", cores.len()) };
        return Err(format!(
            "{jobs} jobs{each} need more than the {cores} of this machine; \
             help: write {most} instead, or leave jobs out to use all cores"
        ));
    }
    Ok(cores.chunks_exact(threads).take(jobs).map(<[usize]>::to_vec).collect())
}

/// Keeps this thread, and the processes it starts, on these cores.
///
/// # Errors
/// The system does not allow it.
pub fn pin(cores: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_takes_a_core_on_which_the_fewest_play() {
        let all = share_cores(None, 1).unwrap().concat();
        // Other processes of this machine may play and take marks at any time: not all of ours are on the same core.
        let taken: Vec<TakenCores> = (0..4 * all.len()).map(|_| take_cores(Some(1), 1).unwrap()).collect();
        let mut on = vec![0; all.len()];
        for one in &taken {
            let core = all.iter().position(|core| [vec![*core]] == one.jobs[..]).unwrap();
            on[core] += 1;
        }
        assert!(on.iter().all(|&jobs| jobs > 0), "{on:?}");
        assert_eq!(take_cores(None, 1).unwrap().jobs.concat(), all);
        assert_eq!(take_cores(Some(all.len() + 1), 1).unwrap_err(), share_cores(Some(all.len() + 1), 1).unwrap_err());
    }
}
