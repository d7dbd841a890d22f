//! A library of a client, loaded and called as the contract says.
#![expect(unsafe_code)]

use agon_abi::{ABI_VERSION, Blob, Descriptor, SYMBOL, Services, SetupHead, TurnHead, bytes_of, read, relocate};
use agon_games::{AnyState, MoveBytes};
use libloading::Library;
use std::ffi::{CStr, c_char, c_void};
use std::mem::offset_of;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What clients have logged, as `key=value`.
pub static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

static SERVICES: Services = Services { size: size_of::<Services>() as u64, cpu_us, log, data };

/// The time that this call has used, microseconds.
pub extern "C" fn cpu_us() -> u64 {
    7
}

/// Gives one file, called `four`.
pub extern "C" fn data(name: *const c_char, size: *mut u64) -> *const c_void {
    static FOUR: [u8; 4] = [1, 2, 3, 4];
    let is_there = text(name) == "four";
    // SAFETY: the border gives a place for a number.
    unsafe { size.write(if is_there { 4 } else { 0 }) };
    if is_there { FOUR.as_ptr().cast() } else { std::ptr::null() }
}

extern "C" fn log(key: *const c_char, value: *const c_char) {
    let line = format!("{}={}", text(key), text(value));
    if line.starts_with("panic=") {
        eprintln!("{line}");
    }
    LOG.lock().unwrap().push(line);
}

/// Text that lives long enough for the test.
pub fn text(from: *const c_char) -> String {
    assert!(!from.is_null());
    // SAFETY: not NULL, and the tests' clients end their text by NUL.
    unsafe { CStr::from_ptr(from) }.to_str().unwrap().to_owned()
}

/// A client in a copy of its library, so that its variables are its own.
pub struct Loaded {
    library: Library,
    setup: Vec<u64>,
    turn: Vec<u64>,
}

impl Loaded {
    pub fn open(library: &Path) -> Loaded {
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let copy = COPIES.fetch_add(1, Ordering::Relaxed);
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{copy}.so", std::process::id()));
        std::fs::copy(library, &copy).unwrap();
        // SAFETY: the project's own clients; their initialisers do nothing.
        let library = unsafe { Library::new(&copy) }.unwrap();
        std::fs::remove_file(&copy).unwrap();
        Loaded { library, setup: Vec::new(), turn: Vec::new() }
    }

    pub fn has(&self, symbol: &str) -> bool {
        // SAFETY: the symbol is only looked for.
        unsafe { self.library.get::<*const u8>(symbol) }.is_ok()
    }

    pub fn descriptor(&self) -> &Descriptor {
        // SAFETY: that is what the symbol names, and it lives as long as the library.
        unsafe { &**self.library.get::<*const Descriptor>(SYMBOL).unwrap() }
    }

    /// Name, offset and size of every field.
    pub fn fields(&self) -> Vec<(String, u32, u32)> {
        let descriptor = self.descriptor();
        // SAFETY: the descriptor says how many there are.
        let fields = unsafe { std::slice::from_raw_parts(descriptor.fields, descriptor.num_fields as usize) };
        fields.iter().map(|field| (text(field.name), field.offset, field.size)).collect()
    }

    pub fn name(&self) -> String {
        // SAFETY: one of the four functions.
        text(unsafe { self.descriptor().name.unwrap()() })
    }

    pub fn initialize(&mut self, state: &dyn AnyState, seats: usize, seat: usize, seed: u64, options: &str) -> i32 {
        let mut blob = Blob::new();
        state.setup(seat, &mut blob);
        let mut head: SetupHead = read(blob.bytes()).unwrap();
        head.threads = 2;
        let size = self.descriptor().setup_size;
        (head.size, head.abi, head.seat, head.seats, head.seed) = (size, ABI_VERSION, seat as u32, seats as u32, seed);
        head.services.word = (&raw const SERVICES).expose_provenance() as u64;
        blob.put(0, &head);
        let options = blob.push_text(options);
        blob.link(offset_of!(SetupHead, options), options);
        self.setup = place(&blob);
        let setup = self.setup.as_mut_ptr().cast();
        // SAFETY: the setup of the client's game; it lives until the next one.
        unsafe { self.descriptor().initialize.unwrap()(setup) }
    }

    pub fn play(&mut self, state: &dyn AnyState, seat: usize) -> MoveBytes {
        let mut blob = Blob::new();
        state.turn(seat, &mut blob);
        let mut head: TurnHead = read(blob.bytes()).unwrap();
        (head.cpu_left_us, head.wall_left_us, head.total_left_us) = (u64::MAX, u64::MAX, u64::MAX);
        blob.put(0, &head);
        self.turn = place(&blob);
        let mut mv = [0u64; 2];
        let room = mv.as_mut_ptr().cast();
        // SAFETY: the turn of the client's game, and room for any move.
        unsafe { self.descriptor().play.unwrap()(self.turn.as_ptr().cast(), room) };
        MoveBytes::new(&bytes_of(&mv)[..self.descriptor().move_size as usize])
    }

    pub fn finalize(&self) {
        // SAFETY: one of the four functions.
        unsafe { self.descriptor().finalize.unwrap()() }
    }
}

fn place(blob: &Blob) -> Vec<u64> {
    let mut words: Vec<u64> = blob.bytes().chunks(8).map(|word| read(word).unwrap()).collect();
    relocate(&mut words, blob.links()).unwrap();
    words
}
