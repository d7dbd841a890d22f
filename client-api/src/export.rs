//! The border of a client in Rust: the adapters that `export_client!` puts into the descriptor, and the caller's
//! services. The contract (docs/reference/abi.md) guarantees that the four functions are called one at a time, `play`
//! only between `initialize` and `finalize`.
#![expect(unsafe_code)]

use crate::options::{check_read, forget_read};
use crate::table::{self, Shapes};
use crate::view::options;
use crate::{Client, Playable};
use agon_abi::{ABI_VERSION, Descriptor, Layout, Services};
use std::any::Any;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

#[doc(hidden)]
pub use agon_abi::{Descriptor as DescriptorType, FieldEntry};

/// The client of the running match: a `Box<C>`, or NULL between matches. One variable a library.
static RUNNING: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The services of the running match; NULL before the first.
static SERVICES: AtomicPtr<Services> = AtomicPtr::new(null_mut());
/// The last name returned, which must outlive the call.
static NAME: Mutex<Option<CString>> = Mutex::new(None);

/// Microseconds used in the running call, on the clock that judges; 0 before `initialize`.
pub fn cpu_us() -> u64 {
    services().map_or(0, |services| (services.cpu_us)())
}

/// Keeps a key and a value with the ply, in the record of the match; does nothing before `initialize`. The keys
/// `value`, `depth`, `line`, `nodes`, `calls` have fixed meanings. Text ends at its first NUL.
pub fn log(key: &str, value: impl std::fmt::Display) {
    if let Some(services) = services() {
        let (key, value) = (c_text(key), c_text(&value.to_string()));
        (services.log)(key.as_ptr(), value.as_ptr());
    }
}

/// The bytes of a file that the ladder gives to the client by `data = ["FILE"]` in its `[[client]]`, under the file's
/// name without its folder. `None` if it gives none of this name, or before `initialize`. They begin at a multiple of
/// 4096, and do not count towards the client's memory.
pub fn data(name: &str) -> Option<&'static [u8]> {
    let services = services().filter(|services| services.size >= size_of::<Services>() as u64)?;
    let mut size = 0;
    let start = (services.data)(c_text(name).as_ptr(), &raw mut size);
    // SAFETY: the contract has them mapped for reading as long as the process lives, if there are any.
    (!start.is_null()).then(|| unsafe { std::slice::from_raw_parts(start.cast(), size as usize) })
}

fn services() -> Option<&'static Services> {
    // SAFETY: NULL, or the address that the caller put into the setup; the contract has it live as long as the process.
    unsafe { SERVICES.load(Ordering::Relaxed).as_ref() }
}

fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Runs a call of the client. A panic may not cross into the caller's code: it is logged, and the process ends as in a
/// crash.
fn guard<T>(call: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        log("panic", message(&*panic));
        std::process::abort()
    })
}

fn message(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a value that is not text")
}

/// The client of the running match.
///
/// # Safety
/// Called within one of the four functions of the library that exports `C`, by one reference at a time.
unsafe fn running<'a, C: Client>() -> Option<&'a mut C> {
    // SAFETY: RUNNING is NULL or a live `Box<C>`: the library exports one type only, and calls do not overlap.
    unsafe { RUNNING.load(Ordering::Relaxed).cast::<C>().as_mut() }
}

/// Drops the client of the running match, or takes it out for `finish`.
///
/// # Safety
/// The same as for `running`.
unsafe fn take<C: Client>() -> Option<Box<C>> {
    let client = RUNNING.swap(null_mut(), Ordering::Relaxed).cast::<C>();
    // SAFETY: not NULL, then made by `Box::into_raw` in `initialize` for the same type; the swap makes this the only
    // owner.
    (!client.is_null()).then(|| unsafe { Box::from_raw(client) })
}

/// `get_player_name`. The text lives until the next call.
extern "C" fn name<C: Client>() -> *const c_char {
    guard(|| {
        // SAFETY: this is one of the four functions.
        let client = unsafe { running::<C>() };
        let text = c_text(client.map_or(C::NAME, |client| client.name()));
        let mut kept = NAME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.insert(text).as_ptr()
    })
}

/// `initialize`.
///
/// # Safety
/// `setup` is the setup of the client's game, as the contract describes it.
unsafe extern "C" fn initialize<C: Client>(setup: *mut c_void) -> i32 {
    // SAFETY: every game's setup begins with the head, as `Playable` promises, and the caller keeps it alive.
    let head = unsafe { &*setup.cast::<agon_abi::SetupHead>() };
    SERVICES.store(head.services.address().cast_mut(), Ordering::Relaxed);
    guard(|| {
        // SAFETY: this is one of the four functions.
        drop(unsafe { take::<C>() });
        // SAFETY: the caller's promise.
        let setup = unsafe { C::Game::setup(&*setup.cast()) };
        forget_read();
        // SAFETY: the caller's promise.
        let options = unsafe { options(head) };
        match C::new(&setup).and_then(|client| check_read(options).map(|()| client)) {
            Ok(client) => {
                RUNNING.store(Box::into_raw(Box::new(client)).cast(), Ordering::Relaxed);
                0
            }
            Err(declined) => {
                log("declined", declined.0);
                1
            }
        }
    })
}

/// `play`.
///
/// # Safety
/// `turn` is the turn of the client's game, as the contract describes it, and `mv` has room for the game's move.
unsafe extern "C" fn play<C: Client>(turn: *const c_void, mv: *mut c_void) {
    let answer = guard(|| {
        // SAFETY: this is one of the four functions.
        let client = unsafe { running::<C>() }.expect("play is called after initialize returned 0");
        // SAFETY: the caller's promise.
        client.play(&unsafe { C::Game::turn(&*turn.cast()) })
    });
    // SAFETY: the caller's promise; no alignment is asked for.
    unsafe { mv.cast::<<C::Game as Playable>::Move>().write_unaligned(answer) }
}

/// `finalize`.
extern "C" fn finalize<C: Client>() {
    guard(|| {
        // SAFETY: this is one of the four functions.
        if let Some(client) = unsafe { take::<C>() } {
            client.finish();
        }
    });
}

/// The descriptor of a client, with the table of fields that `export_client!` made.
pub const fn descriptor<C: Client>(fields: &'static [FieldEntry]) -> Descriptor {
    let shapes: Shapes = table::shapes::<C::Game>();
    Descriptor {
        abi: ABI_VERSION,
        size: size_of::<Descriptor>() as u32,
        game: C::Game::NAME.as_ptr(),
        setup_size: shapes[2].size,
        turn_size: shapes[3].size,
        move_size: <<C::Game as Playable>::Move as Layout>::SHAPE.size,
        num_fields: fields.len() as u32,
        fields: fields.as_ptr(),
        name: Some(name::<C>),
        initialize: Some(initialize::<C>),
        play: Some(play::<C>),
        finalize: Some(finalize::<C>),
    }
}

/// The `abi_stable` header of a client, which leads to the layout of its game's types.
pub const fn layout_header<C: Client>() -> abi_stable::library::LibHeader
where
    C::Game: crate::layout::HasLayout,
{
    use crate::layout::{TypesOf, no_module};
    use abi_stable::library::{CheckTypeLayout, LibHeader};
    // SAFETY: what the constructor gives is never a reference to a module, so never one of a wrong type.
    unsafe { LibHeader::from_constructor::<TypesOf<C::Game>>(no_module, CheckTypeLayout::Yes) }
}

/// Makes a library a client: exports `agon_client` for a type that implements [`Client`](crate::Client). Use it once in
/// a library.
///
/// The library also exports the layout of its game's types, see `layout`.
#[macro_export]
macro_rules! export_client {
    ($client:ty) => {
        const _: () = {
            use $crate::export::{DescriptorType, FieldEntry, descriptor};
            use $crate::table::{self, Shapes};

            const SHAPES: Shapes = table::shapes::<<$client as $crate::Client>::Game>();
            static NAMES: [u8; table::names_size(&SHAPES)] = table::names(&SHAPES);
            static FIELDS: [FieldEntry; table::count(&SHAPES)] = table::entries(&SHAPES, &NAMES);
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals)]
            pub static agon_client: DescriptorType = descriptor::<$client>(&FIELDS);
        };
        $crate::export_layout!($client);
    };
}

/// The symbol under which `abi_stable` looks for the header of a library.
#[doc(hidden)]
#[macro_export]
macro_rules! export_layout {
    ($client:ty) => {
        const _: () = {
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals)]
            pub static _1as_0lib_1header_0root_bmodule_bloader: $crate::layout::Header =
                $crate::export::layout_header::<$client>();
        };
    };
}
