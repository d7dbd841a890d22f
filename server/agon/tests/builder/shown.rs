//! A match as `agon show --json` tells it.

use serde_json::Value;

/// One match.
#[derive(Debug)]
pub struct Shown {
    /// The whole document.
    pub json: Value,
    /// Seat by seat.
    pub seats: Vec<Seat>,
}

/// One seat of it.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The client's label.
    pub client: String,
    pub told_name: String,
    pub rank: u64,
    pub fault: Option<Event>,
    pub notices: Vec<Event>,
    pub layers: Vec<String>,
}

/// A fault or a notice.
#[derive(Clone, Debug)]
pub struct Event {
    pub kind: String,
    pub phase: String,
    pub ply: u64,
    pub message: String,
}

impl Shown {
    /// The seat of the client with this label.
    #[track_caller]
    pub fn seat_of(&self, client: &str) -> &Seat {
        self.seats.iter().find(|seat| seat.client == client).unwrap_or_else(|| panic!("no {client} in {:#}", self.json))
    }

    /// How it ended: `over`, `fault` or `void`.
    pub fn ending(&self) -> &str {
        text(&self.json["result"]["ending"])
    }

    /// How many turns were played.
    pub fn turns(&self) -> u64 {
        self.json["result"]["turns"].as_u64().unwrap()
    }
}

impl From<Value> for Shown {
    fn from(json: Value) -> Shown {
        let events = |seat: usize, event: &'static str| {
            let all = json["events"].as_array().unwrap().iter();
            all.filter(move |row| row["seat"] == seat && row["event"] == event).map(Event::from)
        };
        let seat = |(number, row): (usize, &Value)| Seat {
            client: text(&row["client"]).to_owned(),
            told_name: text(&row["told_name"]).to_owned(),
            rank: json["result"]["ranks"][number].as_u64().unwrap(),
            fault: events(number, "fault").next(),
            notices: events(number, "notice").collect(),
            layers: row["layers"].as_array().unwrap().iter().map(|layer| text(layer).to_owned()).collect(),
        };
        let seats = json["seats"].as_array().unwrap().iter().enumerate().map(seat).collect();
        Shown { json, seats }
    }
}

impl From<&Value> for Event {
    fn from(row: &Value) -> Event {
        let word = |key: &str| text(&row[key]).to_owned();
        Event { kind: word("kind"), phase: word("phase"), ply: row["n"].as_u64().unwrap(), message: word("why") }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not text"))
}
