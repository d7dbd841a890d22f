//! Opens a client's library and compares its descriptor with what the game expects.
#![expect(unsafe_code)]

use crate::client::{Calls, Client, MOVE_CAP};
use crate::crash;
use crate::services::Context;
use agon_abi::{ABI_VERSION, Descriptor, Expected, FieldEntry, MARKER_SYMBOL, OpenStatus, SYMBOL};
use libloading::os::unix;
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::ptr;

/// A library that carries a descriptor of this ABI version. It stays open until the process ends: closing it would
/// unmap code that its threads may still run.
pub struct Library {
    descriptor: &'static Descriptor,
    handle: *mut c_void,
}

/// Why a client could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError {
    /// The kind of trouble, never `Ready`.
    pub opened: OpenStatus,
    /// The message for the client's author: what is wrong, and what to do.
    pub text: String,
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

fn refuse<T>(opened: OpenStatus, text: impl Into<String>) -> Result<T, OpenError> {
    Err(OpenError { opened, text: text.into() })
}

impl Library {
    /// Loads the file, which runs its constructors, and finds its descriptor. `path` must contain a slash, because
    /// `dlopen` searches the system's directories otherwise.
    ///
    /// # Errors
    /// The text is the loader's message, or says that the descriptor is missing or of another ABI version.
    pub fn open(path: &Path) -> Result<Library, OpenError> {
        // SAFETY: this runs the client's constructors; the caller has decided to run its code, in a sandbox or in
        // its own process.
        let library = unsafe { unix::Library::open(Some(path.as_os_str()), unix::RTLD_NOW | unix::RTLD_LOCAL) };
        let library = match library {
            Ok(library) => library,
            Err(error) => return refuse(OpenStatus::NotLoadable, cause(&error)),
        };
        let handle = library.into_raw();
        let descriptor = find(handle, SYMBOL).cast::<Descriptor>();
        // SAFETY: the symbol is the descriptor that the header's macro makes; a lie about it is the client's crash.
        let Some(descriptor) = (unsafe { descriptor.as_ref() }) else {
            return if find(handle, MARKER_SYMBOL).is_null() {
                refuse(OpenStatus::NoDescriptor, format!("there is no symbol {SYMBOL} in the library"))
            } else {
                refuse(
                    OpenStatus::NoMacro,
                    "agon.h is included but AGON_CLIENT is missing: add the line AGON_CLIENT(game) at the end of one .c file",
                )
            };
        };
        crash::remember_library(ptr::from_ref(descriptor).cast());
        if descriptor.abi != ABI_VERSION || (descriptor.size as usize) < size_of::<Descriptor>() {
            let text = format!(
                "built for version {} of the client interface, this is version {ABI_VERSION}; rebuild it with the headers of this agon",
                descriptor.abi
            );
            return refuse(OpenStatus::OtherAbi, text);
        }
        Ok(Library { descriptor, handle })
    }

    /// Loads a file without a descriptor as the adapter for the original course does. The loader looks for missing
    /// symbols only when they are called.
    ///
    /// # Errors
    /// The text is the loader's message.
    pub fn try_lazily(path: &Path) -> Result<(), String> {
        // SAFETY: as for `open`.
        let library = unsafe { unix::Library::open(Some(path.as_os_str()), unix::RTLD_LAZY | unix::RTLD_LOCAL) };
        let _ = library.map_err(|error| cause(&error))?.into_raw();
        Ok(())
    }

    /// The game that the client says it plays.
    pub fn game(&self) -> String {
        text(self.descriptor.game)
    }

    /// The address of another exported symbol, null if there is none; `symbol` without NUL.
    pub fn symbol(&self, symbol: &str) -> *const c_void {
        find(self.handle, symbol)
    }

    /// Makes the client, to be called in this process. The process may hold several.
    ///
    /// # Errors
    /// The client is for another game, or a size or field differs; the text names the first one.
    pub fn client(self, expected: &Expected) -> Result<Client, OpenError> {
        self.check(expected, Context::of_thread)
    }

    /// Makes the client of a host, the only one of its process.
    pub(crate) fn serve(self, expected: &Expected) -> Result<Client, OpenError> {
        self.check(expected, Context::of_process)
    }

    fn check(self, expected: &Expected, context: fn() -> Box<Context>) -> Result<Client, OpenError> {
        let game = self.game();
        if game != expected.game {
            return refuse(OpenStatus::OtherGame, format!("your client plays {game:?}, this is {}", expected.game));
        }
        compare_fields(expected, self.fields())?;
        let descriptor = self.descriptor;
        compare_sizes(expected, [descriptor.setup_size, descriptor.turn_size, descriptor.move_size])?;
        match Calls::of(descriptor) {
            Ok(calls) => Ok(Client::new(calls, expected.sizes[2] as usize, context())),
            Err(missing) => refuse(OpenStatus::OtherLayout, format!("the descriptor of your client has no {missing}")),
        }
    }

    fn fields(&self) -> &[FieldEntry] {
        match self.descriptor.fields.is_null() {
            true => &[],
            // SAFETY: the table is the one that the header's macro makes; a lie about it is the client's crash.
            false => unsafe { std::slice::from_raw_parts(self.descriptor.fields, self.descriptor.num_fields as usize) },
        }
    }
}

impl Client {
    /// Opens a client in this process. The file must be a private copy, because two clients loaded from one file share
    /// their variables.
    ///
    /// # Errors
    /// The text is the loader's message, or names a missing or foreign descriptor or the first field that differs.
    pub fn open(path: &Path, expected: &Expected) -> Result<Client, OpenError> {
        Library::open(path)?.client(expected)
    }
}

fn compare_fields(expected: &Expected, fields: &[FieldEntry]) -> Result<(), OpenError> {
    const HELP: &str = "rebuild it with the headers of this agon";
    let theirs: Vec<(String, u32, u32)> = fields.iter().map(|f| (text(f.name), f.offset, f.size)).collect();
    for (name, offset, size) in &expected.fields {
        let words = match theirs.iter().find(|field| field.0 == *name) {
            None => format!("{name} is missing in your client; {HELP}"),
            Some((_, other, _)) if other != offset => {
                format!("{name} is at byte {other} in your client and at byte {offset} here; {HELP}")
            }
            Some((_, _, other)) if other != size => {
                format!("{name} has {other} bytes in your client and {size} here; {HELP}")
            }
            Some(_) => continue,
        };
        return refuse(OpenStatus::OtherLayout, words);
    }
    Ok(())
}

fn compare_sizes(expected: &Expected, theirs: [u32; 3]) -> Result<(), OpenError> {
    for ((what, ours), theirs) in ["setup", "turn", "move"].into_iter().zip(expected.sizes).zip(theirs) {
        if ours != theirs {
            let game = &expected.game;
            let words = format!(
                "the {what} of {game} has {theirs} bytes in your client and {ours} here; rebuild it with the headers of this agon"
            );
            return refuse(OpenStatus::OtherLayout, words);
        }
    }
    match expected.sizes[2] as usize {
        0..=MOVE_CAP => Ok(()),
        size => refuse(OpenStatus::OtherLayout, format!("a move of {size} bytes is more than this host can take")),
    }
}

fn find(handle: *mut c_void, symbol: &str) -> *const c_void {
    let Ok(symbol) = std::ffi::CString::new(symbol) else { return ptr::null() };
    // SAFETY: the handle comes from dlopen and is never closed; the name is NUL-ended.
    unsafe { libc::dlsym(handle, symbol.as_ptr()) }
}

fn text(start: *const c_char) -> String {
    match start.is_null() {
        true => String::new(),
        // SAFETY: the descriptor points to NUL-ended constant text; a lie about it is the client's crash.
        false => unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned(),
    }
}

/// The loader's message without the words that libloading adds.
fn cause(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}
