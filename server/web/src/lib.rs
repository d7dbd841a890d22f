//! Pages and pictures: positions, matches and ladders, as texts. Pure: models in, text out; no clock, no file, no
//! network. A stranger's text passes `text::shown` or maud, and nothing else.

mod board;
mod board_form;
mod components;
mod drawing;
mod invitation;
mod layout;
mod named;
mod page;
mod panel;
mod picture;
mod play;
mod replay;
mod site;
mod slots;
mod svg;
mod text;

pub use board_form::BoardForm;
pub use components::components_page;
pub use invitation::InvitationPage;
pub use picture::picture;
pub use play::{Advice, Finished, Invited, Place, PlayPage, TurnChoices};
pub use replay::{Neighbours, replay_page};
pub use site::{
    AwaitedLadder, FilterChoice, FollowedAt, HallAddress, Headline, MatchListPage, Now, NowBoard, NowFault, Published,
    ServedLadder, ShownSetting, Site, SiteFile, StartPicture, SubmittedVersion, UploadForm, UploadResult, Ways, asset,
    entry_page, follow_page, ladders_page, list_page, match_page, message_page, team_page, workers_page,
};
