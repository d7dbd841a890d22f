//! Which matches a page of the list has, as its address says it: `client-3.against-5.fault-crash.board-2.longer-40`, in
//! numbers and words of ours alone. It means what the flags of `agon matches` mean.

use agon_games::Language;
use agon_model::{Ending, FaultKind};
use agon_playback::kind_text;
use agon_record::{Filter, MatchOrder};
use agon_web::FilterChoice;

/// A filter from an address. Clients and settings are numbers from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchFilter {
    client: Option<usize>,
    against: Option<usize>,
    /// Any fault, or one of a kind.
    fault: Option<Option<FaultKind>>,
    board: Option<usize>,
    longer: Option<u32>,
    ending: Option<Ending>,
    /// The longest matches come first, of those that are searched.
    pub longest_first: bool,
    /// The match before which the page ends.
    pub before: Option<String>,
}

impl MatchFilter {
    /// Reads the part of a path without its folder and its `.html`; `None` if it is not a filter.
    pub fn read(name: &str) -> Option<MatchFilter> {
        let mut filter = MatchFilter::default();
        for part in name.split('.') {
            let (key, value) = part.split_once('-')?;
            let is_new = match key {
                "client" => filter.client.replace(number(value)?).is_none(),
                "against" => filter.against.replace(number(value)?).is_none(),
                "board" => filter.board.replace(number(value)?).is_none(),
                "ending" => filter.ending.replace(Ending::named(value).filter(Ending::is_counted)?).is_none(),
                "longer" => filter.longer.replace(u32::try_from(number(value)?).ok()?).is_none(),
                "sort" if value == "turns" => !std::mem::replace(&mut filter.longest_first, true),
                "sort" => return None,
                "fault" if value == "any" => filter.fault.replace(None).is_none(),
                "fault" => filter.fault.replace(Some(FaultKind::named(value)?)).is_none(),
                _ => filter.before.replace(part.to_owned()).is_none(),
            };
            if !is_new {
                return None;
            }
        }
        Some(filter)
    }

    /// The same as part of an address, without the match before which it ends.
    pub fn written(&self) -> String {
        let fault = self.fault.map(|kind| kind.map_or("any", FaultKind::name).to_owned());
        let numbers = |key: &str, value: Option<usize>| value.map(|value| format!("{key}-{value}"));
        let parts = [
            numbers("client", self.client),
            numbers("against", self.against),
            fault.map(|kind| format!("fault-{kind}")),
            numbers("board", self.board),
            self.ending.as_ref().map(|ending| format!("ending-{}", ending.name())),
            self.longer.map(|turns| format!("longer-{turns}")),
            self.longest_first.then(|| "sort-turns".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(".")
    }

    /// The same matches in the other order, as part of an address.
    pub fn in_other_order(&self) -> String {
        MatchFilter { longest_first: !self.longest_first, ..self.clone() }.written()
    }

    /// The question to the record; `None` where there is no such client or setting.
    pub fn question(&self, labels: &[String], settings: usize, limit: usize) -> Option<Filter> {
        let label = |number: Option<usize>| number.map(|number| labels.get(number - 1).cloned().ok_or(())).transpose();
        let is_known = self.board.is_none_or(|board| board <= settings);
        is_known.then_some(Filter {
            client: label(self.client).ok()?,
            against: label(self.against).ok()?,
            fault: self.fault,
            settings: self.board.map(|board| vec![board - 1]),
            longer: self.longer,
            ending: self.ending.clone(),
            before: self.before.clone(),
            limit: Some(limit),
            order: if self.longest_first { MatchOrder::Turns } else { MatchOrder::Played },
            ..Filter::default()
        })
    }

    /// The choices of the filter, with the current ones.
    pub fn choices(&self, labels: &[String], settings: &[String], language: Language) -> Vec<FilterChoice> {
        let numbered = |names: &[String]| -> Vec<(String, String)> {
            names.iter().enumerate().map(|(index, name)| ((index + 1).to_string(), name.clone())).collect()
        };
        let chosen = |value: Option<usize>| value.map(|value| value.to_string()).unwrap_or_default();
        let kinds = FaultKind::names().map(|name| (name.to_owned(), kind_text(name, language)));
        let any = language.pick("any", "n’importe laquelle").to_owned();
        let faults = std::iter::once(("any".to_owned(), any)).chain(kinds);
        let fault = self.fault.map(|kind| kind.map_or("any", FaultKind::name).to_owned());
        let endings =
            Ending::COUNTED.map(|ending| (ending.name().to_owned(), ending_text(&ending, language).to_owned()));
        let ending = self.ending.as_ref().map(|ending| ending.name().to_owned());
        let lengths = [10, 20, 40, 80, 160]
            .map(|turns| (turns.to_string(), format!("{} {turns}", language.pick("more than", "plus de"))));
        let choice = |key, title, options, chosen| FilterChoice { key, title, options, chosen };
        vec![
            choice("client", "Client", numbered(labels), chosen(self.client)),
            choice("against", language.pick("Against", "Contre"), numbered(labels), chosen(self.against)),
            choice("fault", language.pick("Fault", "Faute"), faults.collect(), fault.unwrap_or_default()),
            choice("board", language.pick("Board", "Plateau"), numbered(settings), chosen(self.board)),
            choice("ending", language.pick("Ending", "Fin"), endings.to_vec(), ending.unwrap_or_default()),
            choice(
                "longer",
                language.pick("Turns", "Tours"),
                lengths.to_vec(),
                self.longer.map(|turns| turns.to_string()).unwrap_or_default(),
            ),
        ]
    }
}

fn ending_text(ending: &Ending, language: Language) -> &'static str {
    match ending {
        Ending::Over => language.pick("by the rules", "selon les règles"),
        Ending::Fault => language.pick("by a fault", "par une faute"),
        Ending::Adjudicated => {
            language.pick("early, as both named the winner", "avant terme, les deux désignant le vainqueur")
        }
        Ending::Void(_) | Ending::Shortage(_) => "",
    }
}

/// A number from 1, written in one way alone.
fn number(text: &str) -> Option<usize> {
    text.parse::<usize>().ok().filter(|number| *number > 0 && number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_it_is_written() {
        for name in ["client-3.against-5.fault-crash.board-2.ending-over.longer-40", "fault-any", "client-1.sort-turns"]
        {
            assert_eq!(MatchFilter::read(name).unwrap().written(), name);
        }
        for (name, other) in
            [("sort-turns", ""), ("client-1", "client-1.sort-turns"), ("client-1.sort-turns", "client-1")]
        {
            assert_eq!(MatchFilter::read(name).unwrap().in_other_order(), other);
        }
        let paged = MatchFilter::read("client-1.0036ebae39a66608-a").unwrap();
        assert_eq!((paged.written().as_str(), paged.before.as_deref()), ("client-1", Some("0036ebae39a66608-a")));
        for name in [
            "",
            "client-0",
            "client-01",
            "client-x",
            "fault-none",
            "ending-void",
            "client-1.client-2",
            "a-b.c-d",
            "x",
            "sort-played",
            "sort-turns.sort-turns",
        ] {
            assert_eq!(MatchFilter::read(name), None, "{name}");
        }
        let labels = ["a".to_owned()];
        assert!(MatchFilter::read("client-2").unwrap().question(&labels, 1, 9).is_none());
        assert!(MatchFilter::read("board-2").unwrap().question(&labels, 1, 9).is_none());
    }
}
