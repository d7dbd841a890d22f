//! `agon serve` and `agon ladder --serve`: the pages of a record for a browser, read-only, made when they are asked
//! for.

mod links;
mod start;

use crate::address::{self, PublicUrl};
use crate::answer::language;
use crate::awaited::Awaited;
use crate::boards::{Asker, AtBoard, Boards, Visitor, is_for_boards, is_loaded};
use crate::content::{BodyLimit, Content, OwnVersion, Resource};
use crate::feed::Feed;
use crate::gate::{BEGIN, Gate, GateVerdict, UPLOAD, WORKERS_ACT, is_for_operator, refuse_writing};
use crate::http::Server;
use crate::pages::{PageContents, Pages};
use crate::uploads::{Replace, Uploads};
use crate::viewer::Viewer;
use crate::worker_gate::WorkerGate;
use crate::workers_page::WorkersPage;
use agon_command::output::say;
use agon_command::record_location::RecordLocation;
use agon_command::signals;
use agon_command::signals::unwatched;
use agon_command::which::WhichLadder;
use agon_command::{Failure, status};
use agon_games::{AnyGame, Said};
use agon_model::Points;
use agon_web::asset;
use clap::Args;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use start::start;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The options of `agon serve`.
#[derive(Args, Debug)]
pub struct ServeArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// Where to listen: PORT for this machine only, or ADDRESS:PORT for other machines too. These connect by the printed
    /// link, which contains a token. Default: 127.0.0.1:7420, or a free port.
    #[arg(long, value_name = "ADDR", value_parser = address::address)]
    listen: Option<SocketAddr>,
    /// Replaces names by client-1, client-2, … in random order, and leaves out everything that clients printed.
    #[arg(long, conflicts_with_all = ["submissions", "team_links", "accept_uploads", "play"])]
    anonymise: bool,
    #[command(flatten)]
    pages: PageArgs,
}

/// The options of the pages of a ladder that is played.
#[derive(Args, Clone, Debug, Default)]
#[command(mut_group("PageArgs", |pages| pages.requires("serve")))]
pub struct LiveArgs {
    /// Shows the ladder in a browser while it is played. ADDR is ADDRESS:PORT. If you leave out ADDRESS or all of ADDR,
    /// only this machine can connect.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = "",
          value_parser = live_address)]
    serve: Option<Wanted>,
    /// Keeps the pages open after the end, until Ctrl-C.
    #[arg(long, requires = "serve")]
    keep_serving: bool,
    #[command(flatten)]
    pages: PageArgs,
}

/// The options of all pages.
#[derive(Args, Clone, Debug, Default)]
struct PageArgs {
    /// The public URL (https://NAME), if agon is behind a reverse proxy that does TLS. Visitors need the printed link or a
    /// team's link.
    #[arg(long, value_name = "URL", value_parser = address::public)]
    url: Option<PublicUrl>,
    /// Adds a page of all submitted files: when they came, whether agon admitted them, similar files, and last faults.
    #[arg(long)]
    submissions: bool,
    /// Each team opens the pages by its own link, which agon teams makes. It sees results and moves of all matches, but
    /// outputs and reasons of faults only of its own clients. Everybody else needs the printed link, even on this
    /// machine.
    #[arg(long)]
    team_links: bool,
    /// Lets teams submit files on their pages until the closing time, and turns --team-links on. The ladder file names
    /// the folder for these files. A running ladder plays them at once if the file has watch = true below [run].
    #[arg(long)]
    accept_uploads: bool,
    /// Visitors may play matches against the clients. agon does not record them, and a running ladder's matches have
    /// priority.
    #[arg(long)]
    play: bool,
}

impl PageArgs {
    /// The contents of these pages.
    fn shown(
        &self,
        location: RecordLocation,
        points: Option<(String, Points)>,
        uploads: Option<Uploads>,
        awaited: Option<Awaited>,
        games: &'static [&'static dyn AnyGame],
    ) -> PageContents {
        let (submissions, has_teams) = (self.submissions, self.team_links || uploads.is_some());
        PageContents {
            location,
            points,
            anonymise: false,
            submissions,
            has_teams,
            uploads,
            plays: self.play,
            awaited,
            games,
        }
    }
}

/// Where to listen; `None` = where nothing was said.
#[derive(Clone, Copy, Debug)]
struct Wanted(Option<SocketAddr>);

fn live_address(text: &str) -> Result<Wanted, String> {
    if text.is_empty() { Ok(Wanted(None)) } else { address::address(text).map(|at| Wanted(Some(at))) }
}

/// Serves a record until Ctrl-C.
pub fn serve(
    args: &ServeArgs,
    games: &'static [&'static dyn AnyGame],
    boards: impl Boards,
    replace: Replace,
) -> Result<u8, Failure> {
    let (location, points) = args.which.location_and_points()?;
    let uploads = match args.which.file() {
        _ if !args.pages.accept_uploads => None,
        Some(file) => Some(Uploads::of(file, games, replace)?),
        None => {
            let help = "help: agon serve ladder.toml --accept-uploads";
            let what = format!("--accept-uploads: the ladder file says where files go; {help}");
            return Err(Failure::usage(what));
        }
    };
    // What is wrong with the record is told now, not to somebody in a browser; before the first file there is none.
    if uploads.is_none() || location.is_there() {
        drop(location.open_existing()?);
    }
    let mut signals = signals::watch().map_err(unwatched)?;
    let awaited = args.which.file().map(Awaited::of).transpose()?;
    let shown =
        PageContents { anonymise: args.anonymise, ..args.pages.shown(location, points, uploads, awaited, games) };
    let (server, told) = start(args.listen, args.pages.url.as_ref(), Pages::new(shown, None)?, boards)?;
    println!("{told}");
    signals.forever().next();
    drop(server);
    Ok(status::DONE)
}

/// The page of a ladder that is played.
pub struct LivePage {
    /// The state of the run.
    pub feed: Arc<Feed>,
    server: Server,
    keep_serving: bool,
    told: String,
}

impl LiveArgs {
    /// Begins to show the ladder of this file, if that was asked for.
    pub fn start(
        &self,
        file: &Path,
        location: &RecordLocation,
        points: (String, Points),
        games: &'static [&'static dyn AnyGame],
        boards: impl Boards,
        replace: Replace,
    ) -> Result<Option<LivePage>, Failure> {
        let Some(Wanted(at)) = self.serve else { return Ok(None) };
        let feed = Arc::new(Feed::default());
        let uploads = self.pages.accept_uploads.then(|| Uploads::of(file, games, replace)).transpose()?;
        let shown = self.pages.shown(location.clone(), Some(points), uploads, Some(Awaited::of(file)?), games);
        let pages = Pages::new(shown, Some(Arc::clone(&feed)))?;
        let (server, told) = start(at, self.pages.url.as_ref(), pages, boards)?;
        say(&told);
        Ok(Some(LivePage { feed, server, keep_serving: self.keep_serving, told }))
    }
}

impl LivePage {
    /// Goes on showing it until Ctrl-C, if that was asked for.
    pub fn finish(self) -> Result<(), Failure> {
        if self.keep_serving {
            self.feed.leave();
            let mut signals = signals::watch().map_err(unwatched)?;
            say(&format!("the ladder has ended; {}", self.told));
            signals.forever().next();
        }
        drop(self.server);
        Ok(())
    }
}

/// The pages of a record, and the boards of their visitors; files of teams and wishes for boards are all that the pages
/// take.
struct RecordPages<B> {
    pages: Pages,
    gate: Gate,
    /// `None` = nobody plays here.
    boards: Option<B>,
    /// `None` = the record has no workers.
    workers: Option<Arc<WorkerGate>>,
    /// The operator's page of workers, if there are any.
    operator: Option<WorkersPage>,
}

impl<B: Boards> RecordPages<B> {
    /// Those that are for visitors of boards: by a link of a board one comes to no other page.
    fn judge_board(&self, boards: &B, request: &Request<Incoming>) -> GateVerdict<Visitor<Viewer>> {
        let path = request.uri().path();
        let refusal = self.gate.misdirected(request);
        let refusal = refusal.or_else(|| refuse_writing(request).filter(|_| is_loaded(path)));
        let verdict = match (refusal, boards.board(path)) {
            (Some((status, why)), _) => GateVerdict::Refuse(status, why),
            (None, Some(board)) => board.judge(request),
            (None, None) if is_loaded(path) => GateVerdict::Pass(AtBoard::Seated),
            (None, None) => GateVerdict::Refuse(StatusCode::NOT_FOUND, IS_CLEARED),
        };
        verdict.of(Visitor::Board)
    }

    fn board(&self, path: &str) -> Option<Arc<B::Board>> {
        self.boards.as_ref()?.board(path)
    }
}

/// Those who followed a ladder may take so long to read how it ended.
const LAST_LOOK: Duration = Duration::from_millis(1500);
/// Why a board that one had a link for is not there.
const IS_CLEARED: Said = Said::new(
    "this board is cleared: its match was left, or agon was started anew",
    "ce plateau a été retiré : la partie a été quittée, ou agon relancé",
);

impl<B: Boards> Content for RecordPages<B> {
    type Viewer = Visitor<Viewer>;

    const TICK: Duration = Duration::from_secs(1);

    fn judge(&self, request: &Request<Incoming>) -> GateVerdict<Self::Viewer> {
        let is_for_operator = self.operator.is_some() && is_for_operator(request.uri().path());
        match &self.boards {
            _ if is_for_operator => {
                self.gate.judge_operator(request).of(|()| Visitor::Operator(language(request.headers())))
            }
            Some(boards) if is_for_boards(request) => self.judge_board(boards, request),
            _ => self.gate.judge(request).of(|viewer| {
                let team = viewer.team().map(|team| Asker::Team(team.team.clone()));
                let asker = team.unwrap_or_else(|| Asker::Address(self.gate.origin(request)));
                Visitor::Record(viewer, asker, language(request.headers()))
            }),
        }
    }

    fn origin(&self, request: &Request<Incoming>) -> IpAddr {
        self.gate.origin(request)
    }

    fn workers(&self) -> Option<&Arc<WorkerGate>> {
        self.workers.as_ref()
    }

    fn find(&self, visitor: &Self::Viewer, path: &str) -> Result<Resource, Failure> {
        match visitor {
            Visitor::Record(viewer, _, language) => self.pages.find(viewer, path, *language),
            Visitor::Operator(language) => match &self.operator {
                Some(workers) if path != WORKERS_ACT => workers.page(path, *language),
                _ => Ok(Resource::Nothing),
            },
            Visitor::Board(who) => match self.board(path) {
                Some(board) => board.find(who, path),
                None => Ok(asset(path).map_or(Resource::Nothing, Resource::Text)),
            },
        }
    }

    fn home(&self, path: &str) -> String {
        self.board(path).map_or_else(|| self.pages.home(path), |board| board.home(path))
    }

    fn sender(&self, visitor: &Self::Viewer) -> String {
        match visitor {
            Visitor::Record(Viewer::Team(team), ..) => format!("{}/{}", team.ladder, team.team),
            _ => String::new(),
        }
    }

    fn limit(&self, path: &str) -> BodyLimit {
        let uploads = self.pages.uploads().filter(|_| path == UPLOAD);
        uploads.map_or(BodyLimit::FORM, Uploads::limit)
    }

    fn act(&self, visitor: &Self::Viewer, path: &str, body: &[u8]) -> Result<Resource, Failure> {
        match (visitor, &self.boards) {
            (Visitor::Operator(_), _) => match &self.operator {
                Some(workers) if path == WORKERS_ACT => workers.act(body),
                _ => Ok(Resource::Nothing),
            },
            (Visitor::Board(who), _) => {
                self.board(path).map_or(Ok(Resource::Nothing), |board| board.act(who, path, body))
            }
            (Visitor::Record(Viewer::Team(team), _, language), _) if path == UPLOAD => {
                self.pages.take(team, body, *language)
            }
            (Visitor::Record(viewer, asker, _), Some(boards)) if path.ends_with(BEGIN) => {
                self.pages.begin_board((viewer, asker), path, body, |wanted| boards.begin(&self.gate, wanted))
            }
            _ => Ok(Resource::Nothing),
        }
    }

    fn last_look(&self) -> Duration {
        if self.pages.has_just_ended() { LAST_LOOK } else { Duration::from_millis(100) }
    }

    fn is_behind(&self) -> bool {
        self.pages.is_behind()
    }

    fn own_version(&self, path: &str) -> Option<OwnVersion> {
        self.board(path)?.own_version(path)
    }

    fn version(&self) -> Result<String, Failure> {
        self.pages.version()
    }
}
