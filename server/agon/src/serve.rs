//! `agon serve` and `agon ladder --serve`: the pages of a record for a browser, read-only, made when they are asked
//! for.

pub mod address;
mod answer;
pub mod content;
mod feed;
pub mod gate;
pub mod http;
mod pages;

pub use feed::{Feed, Teller};

use super::ladder_file;
use super::place::{Place, PlaceArgs};
use super::progress::say;
use super::{Failure, status};
use agon_games::AnyGame;
use agon_model::Points;
use clap::Args;
use content::{Content, Found};
use gate::{Gate, Verdict};
use http::Server;
use hyper::Request;
use hyper::body::Incoming;
use pages::{Pages, Shown};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::Read;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Of `agon serve`.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The folder of the record, or the ladder file that says where it is and what results are worth.
    #[arg(value_name = "DIR", default_value = "agon-out")]
    folder: PathBuf,
    #[command(flatten)]
    place: PlaceArgs,
    /// Where to listen: ADDRESS:PORT, or a port of this machine alone. Beyond this machine a token is needed, which the
    /// link has that is printed.
    #[arg(long, value_name = "ADDR", value_parser = address::address)]
    listen: Option<SocketAddr>,
    /// Tells neither whose clients they are (client-1, client-2, …) nor anything they said.
    #[arg(long)]
    anonymise: bool,
}

/// The same beside a ladder that is played.
#[derive(Args, Clone, Debug, Default)]
pub struct LiveArgs {
    /// Shows the ladder in a browser while it is played: at 127.0.0.1, or where ADDR says (ADDRESS:PORT or a port).
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = "",
          value_parser = live_address)]
    serve: Option<Wanted>,
    /// Goes on showing it after the end, until Ctrl-C.
    #[arg(long, requires = "serve")]
    keep_serving: bool,
}

/// Where to listen; `None` = where nothing was said.
#[derive(Clone, Copy, Debug)]
struct Wanted(Option<SocketAddr>);

fn live_address(text: &str) -> Result<Wanted, String> {
    if text.is_empty() { Ok(Wanted(None)) } else { address::address(text).map(|at| Wanted(Some(at))) }
}

/// Serves a record until Ctrl-C.
pub fn serve(args: &ServeArgs, games: &'static [&'static dyn AnyGame]) -> Result<u8, Failure> {
    let is_file = args.folder.extension().is_some_and(|kind| kind == "toml") && args.folder.is_file();
    let (place, points) = match is_file.then(|| ladder_file::read_about(&args.folder)).transpose()? {
        Some(about) => (args.place.about(&about)?, Some((about.name, about.points))),
        None => (args.place.at(&args.folder), None),
    };
    // What is wrong with the record is told now, not to somebody in a browser.
    drop(place.open_existing()?);
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Failure::new(1, format!("signals cannot be watched: {error}")))?;
    let shown = Shown { place, points, anonymise: args.anonymise, games };
    let (server, told) = start(args.listen, Pages::new(shown, None))?;
    println!("{told}");
    signals.forever().next();
    drop(server);
    Ok(status::DONE)
}

/// The page of a ladder that is played.
pub struct Live {
    /// What the run tells it.
    pub feed: Arc<Feed>,
    server: Server,
    keeps_on: bool,
    told: String,
}

impl LiveArgs {
    /// Begins to show a ladder, if that was asked for.
    pub fn start(
        &self,
        place: &Place,
        points: (String, Points),
        games: &'static [&'static dyn AnyGame],
    ) -> Result<Option<Live>, Failure> {
        let Some(Wanted(at)) = self.serve else { return Ok(None) };
        let feed = Arc::new(Feed::default());
        let shown = Shown { place: place.clone(), points: Some(points), anonymise: false, games };
        let (server, told) = start(at, Pages::new(shown, Some(Arc::clone(&feed))))?;
        say(&told);
        Ok(Some(Live { feed, server, keeps_on: self.keep_serving, told }))
    }
}

impl Live {
    /// Goes on showing it until Ctrl-C, if that was asked for.
    pub fn finish(self) -> Result<(), Failure> {
        if self.keeps_on {
            self.feed.leave();
            let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
                .map_err(|error| Failure::new(1, format!("signals cannot be watched: {error}")))?;
            say(&format!("the ladder has ended; {}", self.told));
            signals.forever().next();
        }
        drop(self.server);
        Ok(())
    }
}

/// Pages that are only read.
struct ReadOnly {
    pages: Pages,
    gate: Gate,
}

impl Content for ReadOnly {
    const TICK: Duration = Duration::from_secs(1);

    fn judge(&self, request: &Request<Incoming>) -> Verdict {
        self.gate.judge(request)
    }

    fn find(&self, path: &str) -> Result<Found, Failure> {
        self.pages.find(path)
    }

    fn version(&self) -> Result<String, Failure> {
        self.pages.version()
    }
}

/// Begins to listen and to answer; and what to tell whoever started it.
fn start(at: Option<SocketAddr>, pages: Pages) -> Result<(Server, String), Failure> {
    let (listener, at) = address::listen(at)?;
    let is_local = at.ip().is_loopback();
    let token = if is_local { None } else { Some(draw_token()?) };
    let name = address::name();
    let gate = Gate::new(at, name, token.as_deref());
    let server = Server::start(listener, ReadOnly { pages, gate })
        .map_err(|error| Failure::new(1, format!("no thread can be started for the page: {error}")))?;
    let link = address::link(at, token.as_deref());
    let who = if is_local {
        "whoever uses this machine can read it".to_owned()
    } else {
        "whoever has this link can read standings, matches, and what clients printed; nothing can be changed".to_owned()
    };
    Ok((server, format!("open {link} in a browser ({who}); Ctrl-C ends it")))
}

/// What nobody can guess.
pub fn draw_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| Failure::new(1, format!("no token can be drawn: /dev/urandom: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
