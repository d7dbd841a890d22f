//! Which channel between referee and host: round trips of 64 bytes between two processes over each, on one core and on
//! two, all in one run. `cargo run --release -p agon-host --example channels [ROUNDS]`; the table is in
//! docs/notebook/performance.md.

use std::io::Error;
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::time::Instant;

const BYTES: usize = 64;
/// Each channel is measured so often, in turn with the others, so that a disturbance meets all of them.
const PASSES: usize = 5;
/// The first rounds of a process are not counted.
const WARMING: usize = 500;

type Message = [u8; BYTES];

/// One end of a channel.
trait End {
    fn send(&mut self, message: &Message);
    fn receive(&mut self, message: &mut Message);
}

/// Makes both ends, the referee's first.
type Make = fn() -> [Box<dyn End>; 2];

const CHANNELS: [(&str, Make); 7] = [
    ("pipes", pipes),
    ("socketpair, stream", || sockets(libc::SOCK_STREAM)),
    ("socketpair, seqpacket", || sockets(libc::SOCK_SEQPACKET)),
    ("shared memory, eventfd", eventfds),
    ("shared memory, futex", || futexes(0)),
    ("shared memory, futex after 2000 spins", || futexes(2000)),
    ("shared memory, spinning only", || futexes(u32::MAX)),
];

fn main() {
    let rounds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(20_000);
    let cores = cores();
    let places = [("one core", [cores[0]; 2]), ("two cores", [cores[0], cores[cores.len() - 1]])];
    println!("| channel | where | median us | p99 us | ratio |\n|---|---|---|---|---|");
    for (place, pinned) in places.into_iter().take(cores.len()) {
        // Whoever only spins on one core gives it up when its time slice ends, which takes milliseconds.
        let channels = if pinned[0] == pinned[1] { &CHANNELS[..6] } else { &CHANNELS[..] };
        let mut times = vec![Vec::new(); channels.len()];
        for _ in 0..PASSES {
            for ((_, make), times) in channels.iter().zip(&mut times) {
                times.extend(round_trips(*make, pinned, rounds));
            }
        }
        let rows: Vec<_> = times.iter_mut().map(|times| quantiles(times)).collect();
        for ((name, _), (median, p99)) in channels.iter().zip(&rows) {
            println!("| {name} | {place} | {median:.2} | {p99:.1} | {:.2} |", median / rows[0].0);
        }
    }
}

fn quantiles(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Microseconds of each round trip to a process that sends back what it receives.
fn round_trips(make: Make, [own, other]: [usize; 2], rounds: usize) -> Vec<f64> {
    let [mut here, mut there] = make();
    let mut message = [7; BYTES];
    pin(own);
    // SAFETY: there is one thread, and the child only sends and receives until it is killed.
    let child = unsafe { libc::fork() };
    if child == 0 {
        pin(other);
        loop {
            there.receive(&mut message);
            there.send(&message);
        }
    }
    assert!(child > 0, "fork: {}", Error::last_os_error());
    let mut round = || {
        let began = Instant::now();
        here.send(&message);
        here.receive(&mut message);
        began.elapsed().as_secs_f64() * 1e6
    };
    let times = (0..WARMING + rounds).map(|_| round()).skip(WARMING).collect();
    // SAFETY: the child is this process's own, and is waited for once.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, ptr::null_mut(), 0);
    }
    times
}

/// Bytes through descriptors, which are closed when both processes are done.
struct Stream {
    input: i32,
    output: i32,
}

impl End for Stream {
    fn send(&mut self, message: &Message) {
        put(self.output, message);
    }

    fn receive(&mut self, message: &mut Message) {
        get(self.input, message);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: this end owns both; for a socket they are one, whose second closing fails and harms nothing here.
        unsafe {
            libc::close(self.input);
            libc::close(self.output);
        }
    }
}

fn pipes() -> [Box<dyn End>; 2] {
    let pipe = || {
        let mut ends = [0; 2];
        // SAFETY: the pointer is that of two live numbers.
        done(unsafe { libc::pipe(ends.as_mut_ptr()) });
        ends
    };
    let [[asked, ask], [answered, answer]] = [pipe(), pipe()];
    [Box::new(Stream { input: answered, output: ask }), Box::new(Stream { input: asked, output: answer })]
}

fn sockets(kind: i32) -> [Box<dyn End>; 2] {
    let mut ends = [0; 2];
    // SAFETY: the pointer is that of two live numbers.
    done(unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) });
    ends.map(|end| Box::new(Stream { input: end, output: end }) as Box<dyn End>)
}

/// One direction of shared memory: how many messages were put there, whether their reader sleeps, and the newest
/// message.
#[derive(Default)]
#[repr(align(64))]
struct Slot {
    sent: AtomicU32,
    asleep: AtomicU32,
    words: [AtomicUsize; BYTES / 8],
}

impl Slot {
    fn write(&self, message: &Message) {
        for (word, bytes) in self.words.iter().zip(message.as_chunks().0) {
            word.store(usize::from_ne_bytes(*bytes), SeqCst);
        }
        self.sent.fetch_add(1, SeqCst);
    }

    fn read(&self, message: &mut Message) {
        for (word, bytes) in self.words.iter().zip(message.as_chunks_mut().0) {
            *bytes = word.load(SeqCst).to_ne_bytes();
        }
    }
}

/// Both directions, shared with processes that are forked from now on; never unmapped.
fn shared() -> [&'static Slot; 2] {
    let (size, prot) = (size_of::<[Slot; 2]>(), libc::PROT_READ | libc::PROT_WRITE);
    // SAFETY: new pages of zeros are two slots, and nobody unmaps them.
    let slots = unsafe {
        let map = libc::mmap(ptr::null_mut(), size, prot, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1, 0);
        assert!(map != libc::MAP_FAILED, "mmap: {}", Error::last_os_error());
        &*map.cast::<[Slot; 2]>()
    };
    slots.each_ref()
}

/// Shared memory whose reader sleeps on a futex after so many looks at it.
struct Futex {
    input: &'static Slot,
    output: &'static Slot,
    received: u32,
    spins: u32,
}

impl End for Futex {
    fn send(&mut self, message: &Message) {
        self.output.write(message);
        if self.output.asleep.swap(0, SeqCst) == 1 {
            futex(&self.output.sent, libc::FUTEX_WAKE, 1);
        }
    }

    fn receive(&mut self, message: &mut Message) {
        let mut looks = 0;
        while self.input.sent.load(SeqCst) == self.received {
            looks += 1;
            if looks <= self.spins {
                std::hint::spin_loop();
                continue;
            }
            self.input.asleep.store(1, SeqCst);
            // It sleeps only if nothing has come in the meantime: the kernel compares the number once more.
            futex(&self.input.sent, libc::FUTEX_WAIT, self.received);
        }
        self.input.asleep.store(0, SeqCst);
        self.received = self.received.wrapping_add(1);
        self.input.read(message);
    }
}

fn futex(word: &AtomicU32, operation: i32, value: u32) {
    // SAFETY: the word lives, and no time limit is given.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, ptr::null::<libc::timespec>()) };
}

fn futexes(spins: u32) -> [Box<dyn End>; 2] {
    let [asks, answers] = shared();
    [(answers, asks), (asks, answers)]
        .map(|(input, output)| Box::new(Futex { input, output, received: 0, spins }) as Box<dyn End>)
}

/// Shared memory whose reader sleeps in the read of an eventfd.
struct Event {
    memory: [&'static Slot; 2],
    bell: Stream,
}

impl End for Event {
    fn send(&mut self, message: &Message) {
        self.memory[1].write(message);
        put(self.bell.output, &1u64.to_ne_bytes());
    }

    fn receive(&mut self, message: &mut Message) {
        get(self.bell.input, &mut [0; 8]);
        self.memory[0].read(message);
    }
}

fn eventfds() -> [Box<dyn End>; 2] {
    let [asks, answers] = shared();
    // SAFETY: eventfd takes two numbers.
    let bell = || done(unsafe { libc::eventfd(0, 0) });
    let (ask, answer) = (bell(), bell());
    // SAFETY: dup takes a descriptor, here an open one; each end closes its own.
    let copy = |bell| done(unsafe { libc::dup(bell) });
    [
        Box::new(Event { memory: [answers, asks], bell: Stream { input: answer, output: ask } }),
        Box::new(Event { memory: [asks, answers], bell: Stream { input: copy(ask), output: copy(answer) } }),
    ]
}

fn put(descriptor: i32, bytes: &[u8]) {
    // SAFETY: the bytes live as long as the call.
    let count = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
    assert_eq!(count, bytes.len() as isize, "write: {}", Error::last_os_error());
}

fn get(descriptor: i32, bytes: &mut [u8]) {
    // SAFETY: there is room for so many bytes.
    let count = unsafe { libc::read(descriptor, bytes.as_mut_ptr().cast(), bytes.len()) };
    assert_eq!(count, bytes.len() as isize, "read: {}", Error::last_os_error());
}

fn done(result: i32) -> i32 {
    assert!(result >= 0, "{}", Error::last_os_error());
    result
}

/// The cores that this process may use.
fn cores() -> Vec<usize> {
    // SAFETY: a set of cores is plain numbers, and the call fills this one.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        done(libc::sched_getaffinity(0, size_of_val(&set), &mut set));
        set
    };
    // SAFETY: the number is below the size of the set.
    (0..libc::CPU_SETSIZE as usize).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) }).collect()
}

fn pin(core: usize) {
    // SAFETY: a set of cores is plain numbers.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        done(libc::sched_setaffinity(0, size_of_val(&set), &set));
    }
}
