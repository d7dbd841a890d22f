//! The logic of control groups in a plain folder, whose files the kernel does not answer.

use super::*;
use rustix::process::getpid;

const MIB: u64 = 1 << 20;

/// A folder that looks like a group with these controllers and these processes.
fn group(controllers: &str, processes: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cgroup.controllers"), controllers).unwrap();
    fs::write(folder.path().join("cgroup.procs"), processes).unwrap();
    folder
}

fn begin(folder: &Path) -> Result<Arc<Groups>, String> {
    Groups::begin(folder.to_owned(), getpid()).map(Arc::new)
}

fn limits(memory: u64, threads: u32) -> Limits {
    Limits { memory, threads, output: 0 }
}

fn own() -> String {
    getpid().as_raw_nonzero().to_string()
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

/// Removes a folder as the kernel removes a group: its files do not prevent it.
fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        fs::remove_file(entry.path()).unwrap();
    }
}

fn leaves(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("agon-")).collect();
    names.sort();
    names
}

#[test]
fn a_host_has_a_leaf_with_the_limits_of_its_client() {
    let folder = group("cpu memory pids\n", &format!("{}\n", own()));
    let groups = begin(folder.path()).unwrap();
    assert_eq!(text(folder.path(), "cgroup.subtree_control"), "+memory +pids");
    assert_eq!(text(&folder.path().join(OWN), "cgroup.procs"), own());
    let mut lent = groups.lend(&limits(64 * MIB, 2), THREADS_BESIDE).unwrap();
    let leaf = folder.path().join(format!("agon-host-{}-0", own()));
    assert_eq!(text(&leaf, "memory.max"), (84 * MIB).to_string());
    assert_eq!((text(&leaf, "memory.swap.max"), text(&leaf, "pids.max")), ("0".into(), "11".into()));
    lent.leaf().unwrap().add_process(getpid()).unwrap();
    assert_eq!(text(&leaf, "cgroup.procs"), own());
    // The next host has the same leaf with its own limits; two hosts at once have two leaves.
    drop(lent);
    let next = groups.lend(&limits(16 * MIB, 1), THREADS_BESIDE).unwrap();
    assert_eq!((text(&leaf, "memory.max"), text(&leaf, "pids.max")), ((33 * MIB).to_string(), "10".into()));
    let other = groups.lend(&limits(16 * MIB, 1), THREADS_OF_RUNTIME).unwrap();
    let of_other = folder.path().join(format!("agon-host-{}-1", own()));
    assert_eq!(text(&of_other, "pids.max"), "42", "the runtime of a program has threads of its own");
    assert_eq!(leaves(folder.path()), [format!("agon-host-{}-0", own()), format!("agon-host-{}-1", own()), OWN.into()]);
    // After the last one, everything is as it was.
    for leaf in leaves(folder.path()) {
        empty(&folder.path().join(leaf));
    }
    drop((next, other, groups));
    assert_eq!(leaves(folder.path()), [] as [&str; 0]);
    assert_eq!(text(folder.path(), "cgroup.subtree_control"), "-memory -pids");
    assert_eq!(text(folder.path(), "cgroup.procs"), own());
}

#[test]
fn who_was_ended_for_memory_is_known_once() {
    let folder = group("memory pids", "");
    let groups = begin(folder.path()).unwrap();
    let mut lent = groups.lend(&limits(64 * MIB, 1), THREADS_BESIDE).unwrap();
    let events = folder.path().join(format!("agon-host-{}-0/memory.events", own()));
    assert_eq!(lent.leaf().unwrap().ended_for_memory(), None);
    fs::write(&events, "low 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 0\n").unwrap();
    assert_eq!(lent.leaf().unwrap().ended_for_memory(), Some((84 * MIB, 64 * MIB)));
    drop(lent);
    assert_eq!(groups.lend(&limits(64 * MIB, 1), THREADS_BESIDE).unwrap().leaf().unwrap().ended_for_memory(), None);
}

#[test]
fn what_is_not_delegated_is_left_alone() {
    for (controllers, processes, why) in [
        ("memory", "", "no controller pids"),
        ("hugetlb", "", "no controller memory"),
        ("memory pids", "1\n", "other programs"),
    ] {
        let folder = group(controllers, processes);
        let refused = begin(folder.path()).unwrap_err();
        assert!(refused.contains(why), "{refused}");
        assert_eq!((leaves(folder.path()).len(), text(folder.path(), "cgroup.procs")), (0, processes.to_owned()));
        assert!(!folder.path().join("cgroup.subtree_control").exists());
    }
    assert!(begin(Path::new("/nowhere")).unwrap_err().contains("/nowhere/cgroup.controllers"));
}

#[test]
fn leaves_of_servers_that_are_no_more_are_removed() {
    let folder = group("memory pids", "");
    let ended =
        std::process::Command::new("true").spawn().and_then(|mut child| child.wait().map(|_| child.id())).unwrap();
    let parent = std::os::unix::process::parent_id();
    let kept = [format!("agon-host-{parent}-0"), "agon-host-x".into(), "other".into()];
    for name in kept.iter().cloned().chain([format!("agon-host-{ended}-3"), format!("agon-host-{}-9", own())]) {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let groups = begin(folder.path()).unwrap();
    assert_eq!(leaves(folder.path()), [kept[0].clone(), kept[1].clone(), OWN.into()]);
    assert!(folder.path().join(&kept[2]).exists());
    drop(groups);
}

/// This is the state after a killed server. Its shell enters the leaf that was left, because the branch takes no
/// process.
#[test]
fn who_begins_in_the_leaf_of_a_server_uses_the_branch() {
    let folder = group("memory pids", "");
    let leaf = folder.path().join(OWN);
    fs::create_dir(&leaf).unwrap();
    let groups = begin(&leaf).unwrap();
    drop(groups.lend(&limits(MIB, 1), THREADS_BESIDE).unwrap());
    drop(groups);
    assert_eq!((text(folder.path(), "cgroup.procs"), leaf.exists()), (String::new(), true));
}

#[test]
fn the_folder_is_found_from_what_the_kernel_tells() {
    let mounts = "30 20 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                  31 20 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
    let group = "4:memory:/x\n0::/user.slice/run-5.scope\n";
    assert_eq!(folder_of(mounts, group).unwrap(), Path::new("/sys/fs/cgroup/user.slice/run-5.scope"));
    assert_eq!(folder_of(mounts, "0::/\n").unwrap(), Path::new("/sys/fs/cgroup"));
    let bound = "31 20 0:27 /a/b /cg rw - cgroup2 none rw\n";
    assert_eq!(folder_of(bound, "0::/a/b/c\n").unwrap(), Path::new("/cg/c"));
    assert!(folder_of(bound, "0::/../x\n").unwrap_err().contains("not below /cg"));
    for (mounts, group) in [("", group), (mounts, "4:memory:/x\n")] {
        assert!(folder_of(mounts, group).unwrap_err().contains("no control groups of version 2"));
    }
}
