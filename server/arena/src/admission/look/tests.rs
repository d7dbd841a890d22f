//! The lines that admission prints are read as they come, and a client cannot forge them.

use super::*;

#[test]
fn what_admission_says_is_read_as_it_comes() {
    let look =
        read_look_lines("game\tchess\nname\tmcts\nrefused\tother-layout\tfield differs\trebuild\nnonsense\n").look;
    assert_eq!(look.game.as_deref(), Some("chess"));
    assert_eq!(look.refused, Some((Cause::OtherLayout, "field differs; help: rebuild".to_owned())));
    assert_eq!(read_look_lines("\u{0}\tgame").look, Look::default());
    assert_eq!(read_look_lines("game\tch\u{1b}ess").look, Look::default());
}

#[test]
fn a_client_cannot_tell_of_our_trouble() {
    assert_eq!(read_look_lines("trouble\tno memory\n").trouble.as_deref(), Some("no memory"));
    assert_eq!(read_look_lines("opens\ntrouble\tno memory\n").trouble, None);
}
