//! Files that a ladder gives to a client, such as an opening book: mapped for reading before the sandbox closes, and
//! found by name.
#![expect(unsafe_code)]

use std::ffi::{CStr, CString, c_void};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr;

/// The files of one client, by name.
#[derive(Debug, Default)]
pub struct Data(Vec<(CString, Mapped)>);

/// Bytes that stay mapped until the process ends, because a client may keep their address.
#[derive(Clone, Copy, Debug)]
struct Mapped {
    start: *const c_void,
    size: u64,
}

// SAFETY: what is mapped is only read, and stays.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    /// Maps these files, each with the name that the client asks by.
    ///
    /// # Errors
    /// One of them cannot be opened or mapped; the text names it and the reason.
    pub fn map<'a>(files: impl IntoIterator<Item = (&'a str, &'a Path)>) -> Result<Data, String> {
        let map = |(name, file): (&str, &Path)| {
            let told = |error: &dyn std::fmt::Display| format!("the data {name}, {}: {error}", file.display());
            let name = CString::new(name).map_err(|error| told(&error))?;
            Ok((name, Mapped::of(file).map_err(|error| told(&error))?))
        };
        files.into_iter().map(map).collect::<Result<_, String>>().map(Data)
    }

    /// The address of the file with this name, and its size.
    pub(crate) fn find(&self, name: &CStr) -> Option<(*const c_void, u64)> {
        self.0.iter().find(|(other, _)| other.as_c_str() == name).map(|(_, mapped)| (mapped.start, mapped.size))
    }
}

impl Mapped {
    fn of(file: &Path) -> io::Result<Mapped> {
        let file = File::open(file)?;
        let size = file.metadata()?.len();
        if size == 0 {
            // The kernel maps no empty file; any address other than NULL shows the client that the file exists.
            return Ok(Mapped { start: ptr::dangling::<u64>().cast(), size });
        }
        // SAFETY: a mapping at an address of the kernel's choice touches no memory that anybody has.
        let start = unsafe {
            libc::mmap(ptr::null_mut(), size as usize, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(Mapped { start, size }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let (book, empty) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&book, b"e4 e5").unwrap();
        std::fs::write(&empty, b"").unwrap();
        let data = Data::map([("book", book.as_path()), ("empty", empty.as_path())]).unwrap();
        let (start, size) = data.find(c"book").unwrap();
        // SAFETY: it is mapped for reading, and so long.
        assert_eq!(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), size as usize) }, b"e4 e5");
        assert_eq!(data.find(c"empty").map(|(start, size)| (start.is_null(), size)), Some((false, 0)));
        assert!(data.find(c"boo").is_none());
    }

    #[test]
    fn a_file_that_is_not_there_is_told() {
        let error = Data::map([("book", Path::new("/nowhere/book"))]).unwrap_err();
        assert!(error.starts_with("the data book, /nowhere/book: No such file"), "{error}");
    }
}
