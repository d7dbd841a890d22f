//! `agon replay ID`: steps through a match in the terminal; as text where there is none, or as a file for a browser.

use agon_command::atomic_file::write_atomically;
use agon_command::lang::Lang;
use agon_command::paint::Paint;
use agon_command::which::{WhichMatch, find_match};
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_model::find_game;
use agon_playback::{Pane, Playback, Size, View, frame, playback_text, position_text};
use clap::Args;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, queue};
use signal_hook::consts::{SIGHUP, SIGTERM};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The longest time for which a signal waits for the terminal.
const SIGNAL_PATIENCE: Duration = Duration::from_millis(100);

/// The arguments of `agon replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    which: WhichMatch,
    /// Prints every position; with ID@TURN, only the one after that turn. agon also does this if the output is not a
    /// terminal.
    #[arg(long)]
    text: bool,
    /// Prints only ASCII characters.
    #[arg(long)]
    ascii: bool,
    /// Writes one file that any browser shows without agon and without a network. Default: ID.html.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["text", "ascii"])]
    html: Option<Option<PathBuf>>,
    /// The language of the file. Texts of clients and the messages about faults stay as they are.
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en", requires = "html", conflicts_with_all = ["text", "ascii"])]
    lang: Lang,
}

/// Shows the positions of one match.
pub fn replay(args: &ReplayArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let stored = find_match(&args.which)?;
    let playback = Playback::in_language(&stored, find_game(games, &stored.ladder.game)?, args.lang.language());
    if let Some(file) = &args.html {
        let file = file.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", playback.id)));
        return write_page(&playback, &file);
    }
    let paint = Paint::of_stdout(args.ascii);
    let at = args.which.turn().map(|turn| turn as usize);
    let result = if args.text || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        let text = at
            .map_or_else(|| playback_text(&playback, paint.charset), |at| position_text(&playback, at, paint.charset));
        io::stdout().write_all(text.as_bytes())
    } else {
        step_through(&playback, paint, View { position: at.unwrap_or(0), ..View::default() })
    };
    match result {
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(status::DONE),
        result => result.map(|()| 0).map_err(|error| Failure::trouble(format!("the terminal: {error}"))),
    }
}

/// Writes the file for a browser, and says where.
fn write_page(playback: &Playback, file: &Path) -> Result<u8, Failure> {
    let trouble = |error| Failure::trouble(format!("{}: {error}", file.display()));
    write_atomically(file, |out| out.write_all(agon_web::replay_page(playback).as_bytes()).map_err(trouble))?;
    println!("{}", file.display());
    Ok(status::DONE)
}

/// The terminal as this program wants it, and as it was when this is dropped.
struct Screen;

impl Screen {
    fn take() -> io::Result<Screen> {
        enable_raw_mode()?;
        let screen = Screen;
        queue!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is closed needs nothing.
        let _ = queue!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = io::stdout().flush();
        let _ = disable_raw_mode();
    }
}

/// Runs until the person leaves or the program is to end: then, too, the terminal is left as it was.
fn step_through(playback: &Playback, paint: Paint, mut view: View) -> io::Result<()> {
    let told_to_end = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&told_to_end))?;
    }
    let _screen = Screen::take()?;
    loop {
        draw(playback, &view, paint)?;
        while !poll(SIGNAL_PATIENCE)? {
            if told_to_end.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        let event = read()?;
        if let Event::Key(key) = event
            && key.kind != KeyEventKind::Release
        {
            match press(playback, view, key) {
                Some(next) => view = next,
                None => return Ok(()),
            }
        }
    }
}

fn draw(playback: &Playback, view: &View, paint: Paint) -> io::Result<()> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).map_or((80, 24), |size| (size.ws_col, size.ws_row));
    let size = if size.0 == 0 || size.1 == 0 { (80, 24) } else { size };
    let size = Size { columns: size.0.into(), rows: size.1.into() };
    let mut out = io::stdout().lock();
    for (row, line) in frame(playback, view, size, paint.charset).iter().enumerate() {
        queue!(out, cursor::MoveTo(0, row as u16))?;
        // What stood in the line before is cleared after it is overwritten, so that nothing flickers.
        write!(out, "{}\x1b[K", paint.line(line))?;
    }
    out.flush()
}

/// The view after a key; `None` ends the replay.
fn press(playback: &Playback, view: View, key: KeyEvent) -> Option<View> {
    let at = view.position;
    let last = playback.frames.len() - 1;
    let go = |position: usize| Some(View { position: position.min(last), scroll: 0, ..view });
    let toggle = |pane| Some(View { pane: if view.pane == pane { Pane::Board } else { pane }, scroll: 0, ..view });
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return if key.code == KeyCode::Char('c') { None } else { Some(view) };
    }
    match key.code {
        KeyCode::Char('q') => None,
        KeyCode::Esc if view.pane == Pane::Board => None,
        KeyCode::Esc => toggle(view.pane),
        _ if view.pane == Pane::Help => toggle(Pane::Help),
        KeyCode::Right | KeyCode::Char(' ') => go(at + 1),
        KeyCode::Left => go(at.saturating_sub(1)),
        KeyCode::PageDown => go(at + 10),
        KeyCode::PageUp => go(at.saturating_sub(10)),
        KeyCode::Home => go(0),
        KeyCode::End => go(last),
        KeyCode::Char('e') => playback.next_event(at).map_or(Some(view), go),
        KeyCode::Char('E') => playback.previous_event(at).map_or(Some(view), go),
        KeyCode::Char('t') => go(playback.slowest()),
        KeyCode::Char('s') => toggle(Pane::Output),
        KeyCode::Char('p') => toggle(Pane::Position),
        KeyCode::Char('?') => toggle(Pane::Help),
        KeyCode::Down => Some(View { scroll: (view.scroll + 1).min(MOST_SCROLLED), ..view }),
        KeyCode::Up => Some(View { scroll: view.scroll.saturating_sub(1), ..view }),
        _ => Some(view),
    }
}

/// Further than any position or output is long, near enough for `up` to come back from it.
const MOST_SCROLLED: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;
    use agon_playback::Frame;

    /// Thirty turns; something happened in turns 4 and 20, and turn 7 was the slowest.
    fn playback() -> Playback {
        let frame = |at: usize| {
            let us = if at == 7 { 900 } else { 100 };
            let moves = vec![agon_playback::MadeMove {
                seat: 0,
                text: "a".to_owned(),
                us: (at > 0).then_some(us),
                fault: None,
            }];
            let events = if at == 4 || at == 20 { vec!["oh".to_owned()] } else { Vec::new() };
            Frame { moves, events, ..Frame::default() }
        };
        let frames = (0..=30).map(frame).collect();
        Playback { seats: vec!["a".to_owned()], frames, ..Playback::default() }
    }

    fn after(from: usize, keys: &[KeyCode]) -> Option<View> {
        let playback = playback();
        let begin = View { position: from, ..View::default() };
        keys.iter().try_fold(begin, |view, key| press(&playback, view, KeyEvent::from(*key)))
    }

    #[test]
    fn keys_lead_to_positions() {
        use KeyCode::*;
        let to = |from, key| after(from, &[key]).unwrap().position;
        for (from, key, position) in [
            (0, Right, 1),
            (30, Right, 30),
            (5, Char(' '), 6),
            (0, Left, 0),
            (5, Left, 4),
            (5, PageDown, 15),
            (25, PageDown, 30),
            (5, PageUp, 0),
            (25, PageUp, 15),
            (9, Home, 0),
            (9, End, 30),
            (0, Char('e'), 4),
            (4, Char('e'), 20),
            (20, Char('e'), 20),
            (30, Char('E'), 20),
            (4, Char('E'), 4),
            (0, Char('t'), 7),
            (3, Char('x'), 3),
        ] {
            assert_eq!(to(from, key), position, "{key:?} from {from}");
        }
    }

    #[test]
    fn panes_open_and_close() {
        use KeyCode::*;
        assert_eq!(after(1, &[Char('s')]).unwrap().pane, Pane::Output);
        assert_eq!(after(1, &[Char('s'), Right]).unwrap(), View { position: 2, pane: Pane::Output, scroll: 0 });
        assert_eq!(after(1, &[Char('s'), Char('s')]).unwrap().pane, Pane::Board);
        assert_eq!(after(1, &[Char('?'), Right]).unwrap(), View { position: 1, ..View::default() });
        assert_eq!(after(1, &[Char('?'), Esc]).unwrap().pane, Pane::Board);
        assert_eq!(after(1, &[Down, Down, Up]).unwrap().scroll, 1);
        assert_eq!(after(1, &[Down, Right]).unwrap().scroll, 0);
    }

    #[test]
    fn it_ends_when_it_is_told() {
        let playback = playback();
        assert_eq!(after(1, &[KeyCode::Char('q')]), None);
        assert_eq!(after(1, &[KeyCode::Esc]), None);
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(press(&playback, View::default(), control), None);
    }
}
