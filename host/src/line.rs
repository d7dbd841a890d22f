//! One line of the log pipe, `key TAB value NEWLINE`. It allocates nothing, so that signal handlers can send it too.
#![expect(unsafe_code)]

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

/// The most bytes of a key.
pub const KEY_CAP: usize = 80;
/// The most bytes of a value; the rest is cut.
pub const VALUE_CAP: usize = 1000;

static LOG: AtomicI32 = AtomicI32::new(-1);
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Sends all later lines to this descriptor; -1 drops them.
pub fn send_lines_to(descriptor: i32) {
    LOG.store(descriptor, Relaxed);
}

/// A line under construction.
pub struct Line {
    bytes: [u8; KEY_CAP + VALUE_CAP + 2],
    used: usize,
    end: usize,
}

impl Line {
    /// Begins a line with this key and without a value.
    pub fn new(key: &str) -> Line {
        let mut line = Line { bytes: [0; KEY_CAP + VALUE_CAP + 2], used: 0, end: KEY_CAP };
        line.append(key.as_bytes());
        line.value()
    }

    /// Begins a line of the client's own, whose key cannot pass for one of the host's.
    pub fn of_client(key: &[u8]) -> Line {
        let mut line = Line { bytes: [0; KEY_CAP + VALUE_CAP + 2], used: 0, end: KEY_CAP };
        if key.starts_with(b"agon.") {
            line.append(b"client.");
        }
        line.append(key);
        line.value()
    }

    fn value(mut self) -> Line {
        self.end = self.used + 1 + VALUE_CAP;
        self.bytes[self.used] = b'\t';
        self.used += 1;
        self
    }

    fn append(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().take(self.end - self.used) {
            self.bytes[self.used] = if matches!(byte, b'\t' | b'\n' | 0) { b' ' } else { byte };
            self.used += 1;
        }
    }

    /// Appends bytes; tabs, newlines and NULs become spaces.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Line {
        self.append(bytes);
        self
    }

    #[must_use]
    pub fn text(self, text: &str) -> Line {
        self.raw(text.as_bytes())
    }

    /// Appends a number in base 10.
    #[must_use]
    pub fn number(self, number: u64) -> Line {
        self.digits(number, 10)
    }

    /// Appends an address in the form `0x7f00`.
    #[must_use]
    pub fn address(self, address: u64) -> Line {
        self.text("0x").digits(address, 16)
    }

    fn digits(self, mut number: u64, base: u64) -> Line {
        let mut digits = [0u8; 20];
        let mut start = digits.len();
        loop {
            start -= 1;
            digits[start] = b"0123456789abcdef"[(number % base) as usize];
            number /= base;
            if number == 0 {
                return self.raw(&digits[start..]);
            }
        }
    }

    /// The bytes to be sent, without the newline.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }

    /// Writes the line. A full pipe never blocks the client: the line is dropped, and `agon.dropped` counts the dropped
    /// lines.
    pub fn send(self) {
        let dropped = DROPPED.swap(0, Relaxed);
        if dropped > 0 && !Line::new("agon.dropped").number(dropped).write() {
            DROPPED.fetch_add(dropped, Relaxed);
        }
        if !self.write() {
            DROPPED.fetch_add(1, Relaxed);
        }
    }

    fn write(mut self) -> bool {
        self.bytes[self.used] = b'\n';
        let whole = &self.bytes[..self.used + 1];
        // SAFETY: the pointer and the length are those of a live slice.
        unsafe { libc::write(LOG.load(Relaxed), whole.as_ptr().cast(), whole.len()) == whole.len() as isize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line() {
        let line = Line::of_client(b"agon.crash\n").raw(b"a\tb\0c ").number(70).text(" ").address(255);
        assert_eq!(line.bytes(), b"client.agon.crash \ta b c 70 0xff");
    }

    #[test]
    fn long_keys_and_values_are_cut() {
        let line = Line::of_client(&[b'k'; 200]).raw(&[b'v'; 5000]);
        assert_eq!(line.bytes().len(), KEY_CAP + 1 + VALUE_CAP);
    }
}
