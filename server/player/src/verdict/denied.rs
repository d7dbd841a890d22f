//! Advice about a file that a client may not open, by its name.

/// Advice about a file that a client may not open. A compiler's flag adds code that writes some of them.
pub fn help_for_denied(file: &str) -> &'static str {
    const PRINT: &str = "print to stderr instead, and read it by agon show ID";
    const WRITTEN_BY: [(&str, &str); 3] = [
        (".gcda", "build without --coverage, which writes this file at the end"),
        (".profraw", "build without -fprofile-instr-generate, which writes this file at the end"),
        ("gmon.out", "build without -pg, which writes this file at the end"),
    ];
    let of_flag = WRITTEN_BY.iter().find(|(ending, _)| file.ends_with(ending));
    let name = file.rsplit('/').next().unwrap_or(file).to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_ascii_alphabetic());
    let is_log = words.any(|word| ["log", "logs", "debug", "trace", "output"].contains(&word));
    of_flag.map_or(if is_log { PRINT } else { "compile the data into it" }, |(_, help)| help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denied_file_is_advised_by_its_purpose() {
        for (file, advice) in [
            ("/home/anna/bot.gcda", "--coverage"),
            ("bot.log", "agon show"),
            ("log.txt", "agon show"),
            ("my_debug2.txt", "agon show"),
            ("book.dat", "compile the data"),
            ("/etc/login.defs", "compile the data"),
            ("/var/log/table.bin", "compile the data"),
        ] {
            assert!(help_for_denied(file).contains(advice), "{file}: {}", help_for_denied(file));
        }
    }
}
