//! The commands of Grundy's game: they write its table of nimbers, check it, and list exceptional heaps.

use super::nimber::{by_definition, is_rare};
use super::setting::MOST_OF_ALL;
use super::table::{NimberTable, write};
use crate::data_file::{DataFile, FilePlan, Reader};
use std::fmt::Write;

/// The number of heaps compared with the definition, whose time grows with the square: half a second.
const COMPARED: usize = 50_000;

/// The table as a file for clients.
pub(super) const FILE: DataFile = DataFile {
    name: "table",
    about: "Writes the nimbers (Grundy values) of heaps to a file, for clients",
    usage: "\
agon grundy table FILE [--to N]   writes the nimbers (Grundy values) of the heaps of 0 to N sticks [default: 100000000]
agon grundy check FILE            checks a file that grundy table wrote, and prints what is in it
agon grundy exceptions FILE       lists the heaps with an exceptional nimber, as CSV
agon grundy plot FILE             draws these heaps as a picture (SVG)

A nimber is exceptional if its binary digits without the last one have an even number of ones. Few large heaps have an exceptional
nimber.

  --out NEW_FILE   writes what the command prints to a new file instead of the terminal

To give the table to the client clients/grundy, write below its [[client]] in the ladder file:
  data = [\"grundy.table\"]
  options = { version = \"6\" }
With the default N, the file has 200 MB and takes some minutes to write.",
    plan,
    readers: &[
        Reader { name: "check", about: "Checks a file that grundy table wrote, and prints what is in it", read: check },
        Reader { name: "exceptions", about: "Lists the heaps with an exceptional nimber, as CSV", read: list },
        Reader { name: "plot", about: "Draws the exceptional heaps as a picture (SVG)", read: draw },
    ],
};

fn plan(words: &[String]) -> Result<FilePlan, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let most = match words[..] {
        [] => MOST_OF_ALL as u32,
        ["--to", text] => {
            let number = text.parse().ok().filter(|number| (1..=MOST_OF_ALL as u32).contains(number));
            number.ok_or_else(|| format!("--to {text}: a whole number from 1 to {MOST_OF_ALL}"))?
        }
        _ => return Err(format!("\"{}\" is not understood; help: agon grundy --help", words.join(" "))),
    };
    Ok(FilePlan {
        work: most.into(),
        write: Box::new(move |out, tell| {
            let sequence = write(most, out, tell)?;
            Ok(describe(sequence.nimbers().iter().copied()))
        }),
    })
}

/// Describes the number of heaps, and what is peculiar among them.
fn describe(nimbers: impl ExactSizeIterator<Item = u16> + Clone) -> String {
    let most = nimbers.len() - 1;
    let largest = nimbers.clone().max().unwrap_or(0);
    let at = nimbers.clone().position(|nimber| nimber == largest).unwrap_or(0);
    let mut text = format!("heaps of 0 to {most} sticks; the largest nimber is {largest}, first at {at} sticks\n");
    let rare = || (0..).zip(nimbers.clone()).filter(|(_, nimber)| is_rare(*nimber));
    let count = rare().count();
    if let Some((last, nimber)) = rare().last() {
        let _ = writeln!(text, "{count} heaps have an exceptional nimber, the last one {last} sticks: {nimber}");
    }
    text
}

fn check(bytes: &[u8]) -> Result<String, String> {
    let mut table = NimberTable::open(bytes).map_err(|bad| bad.to_string())?;
    let nimbers = table.all().map_err(|bad| bad.to_string())?;
    let compared = COMPARED.min(nimbers.len() - 1);
    if let Some(heap) = by_definition(compared).into_iter().zip(nimbers.clone()).position(|(one, other)| one != other) {
        let help = "help: make it anew with `agon grundy table FILE`";
        return Err(format!("the nimber of {heap} sticks is not that of the definition; {help}"));
    }
    let text = describe(nimbers);
    Ok(format!("{text}all blocks are as they were written; the first {compared} heaps are as by the definition\n"))
}

/// The heaps with a rare nimber.
fn exceptions(bytes: &[u8]) -> Result<Vec<(usize, u16)>, String> {
    let mut table = NimberTable::open(bytes).map_err(|bad| bad.to_string())?;
    let nimbers = table.all().map_err(|bad| bad.to_string())?;
    Ok((0..).zip(nimbers).filter(|(_, nimber)| is_rare(*nimber)).collect())
}

fn list(bytes: &[u8]) -> Result<String, String> {
    let rows = exceptions(bytes)?.into_iter().map(|(heap, nimber)| format!("{heap},{nimber}\n"));
    Ok("sticks,nimber\n".to_owned() + &rows.collect::<String>())
}

/// Width, height and origin of the plane.
const PLANE: (f64, f64) = (840.0, 480.0);
const CORNER: (f64, f64) = (70.0, 50.0);

/// Draws sticks to the right, by powers of ten, and nimbers upwards.
fn draw(bytes: &[u8]) -> Result<String, String> {
    let found = exceptions(bytes)?;
    let powers = found.last().map_or(1, |(heap, _)| heap.max(&1).ilog10() + 1);
    let most = found.iter().map(|(_, nimber)| *nimber).max().unwrap_or(0).max(1).next_multiple_of(50);
    let x = |heap: f64| CORNER.0 + PLANE.0 * libm::log10(heap.max(1.0)) / f64::from(powers);
    let y = |nimber: u16| CORNER.1 + PLANE.1 * (1.0 - f64::from(nimber) / f64::from(most));
    let (width, height) = (CORNER.0 + PLANE.0 + 30.0, CORNER.1 + PLANE.1 + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"28\" font-size=\"18\">Grundy's game: the {} heaps with an exceptional nimber</text>\n",
        CORNER.0,
        found.len()
    );
    let (left, right, top, bottom) = (CORNER.0, CORNER.0 + PLANE.0, CORNER.1, CORNER.1 + PLANE.1);
    for power in 0..=powers {
        let at = x(10f64.powi(power as i32));
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{}\" \
             text-anchor=\"middle\">10<tspan dy=\"-6\" font-size=\"10\">{power}</tspan></text>",
            bottom + 24.0
        );
    }
    for nimber in (0..=most).step_by(50) {
        let at = y(nimber);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{nimber}</text>",
            left - 8.0,
            at + 5.0
        );
    }
    for (heap, nimber) in &found {
        let (at_x, at_y) = (x(*heap as f64), y(*nimber));
        let _ = writeln!(svg, "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"2\" fill=\"#0072b2\"/>");
    }
    let _ =
        writeln!(svg, "<text x=\"{left}\" y=\"{:.0}\">sticks (to the right), nimber (upwards)</text>", bottom + 50.0);
    Ok(svg + "</svg>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_table_is_written_checked_listed_and_drawn() {
        let plan = plan(&words("--to 100000")).unwrap();
        let (mut bytes, mut told) = (Vec::new(), 0);
        let said = (plan.write)(&mut bytes, &mut |done| told = done).unwrap();
        assert!(plan.work == 100_000 && told > 0);
        assert!(said.contains("heaps of 0 to 100000 sticks; the largest nimber is "), "{said}");
        assert!(said.contains("1274 heaps have an exceptional nimber, the last one 82860 sticks: 108"), "{said}");
        let checked = check(&bytes).unwrap();
        assert!(checked.starts_with(&said) && checked.contains("the first 50000 heaps are as by the definition"));
        let listed = list(&bytes).unwrap();
        assert!(
            listed.starts_with("sticks,nimber\n0,0\n1,0\n2,0\n3,1\n4,0\n6,1\n") && listed.ends_with("\n82860,108\n")
        );
        assert_eq!(draw(&bytes).unwrap().matches("<circle").count(), 1_274);
    }

    #[test]
    fn what_is_no_table_or_no_number_is_told() {
        assert!(check(b"nothing").unwrap_err().contains("this is not a table of nimbers; help: make it anew"));
        for text in ["--to 0", "--to 100000001", "--to much", "--of 3", "--to"] {
            let why = plan(&words(text)).err().unwrap();
            assert!(why.contains("whole number") || why.contains("is not understood"), "{why}");
        }
    }

    #[test]
    fn other_nimbers_are_found() {
        let mut bytes = Vec::new();
        write(100, &mut bytes, &mut |_| {}).unwrap();
        let end = bytes.len();
        bytes[end - 1] = 1;
        assert!(check(&bytes).unwrap_err().contains("damaged among the heaps 0 to 100"));
    }
}
