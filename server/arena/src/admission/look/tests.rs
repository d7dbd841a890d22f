//! The lines that admission prints are read as they come, and a client cannot forge them.

use super::*;

#[test]
fn what_admission_says_is_read_as_it_comes() {
    let look = read_said("game\tchess\nname\tmcts\nrefused\tother-layout\tfield differs\trebuild\nnonsense\n").look;
    assert_eq!(look.game.as_deref(), Some("chess"));
    assert_eq!(look.refused, Some((Cause::OtherLayout, "field differs; help: rebuild".to_owned())));
    assert_eq!(read_said("\u{0}\tgame").look, Look::default());
    assert_eq!(read_said("game\tch\u{1b}ess").look, Look::default());
}

#[test]
fn a_client_cannot_tell_of_our_trouble() {
    assert_eq!(read_said("trouble\tno memory\n").trouble.as_deref(), Some("no memory"));
    assert_eq!(read_said("opens\ntrouble\tno memory\n").trouble, None);
}

#[test]
fn only_what_bytes_decide_is_kept() {
    let refused = |cause| Look { refused: Some((cause, String::new())), ..Look::default() };
    assert!(refused(Cause::Truncated).lasts() && refused(Cause::Classic).lasts());
    for cause in [Cause::Unseen, Cause::MissingLibrary, Cause::Machine, Cause::Unreadable, Cause::of_word("new")] {
        assert!(!refused(cause).lasts(), "{cause:?}");
    }
    assert!(Look::default().lasts());
    let kept = serde_json::to_string(&refused(Cause::NotElf)).unwrap();
    assert!(kept.contains(r#""refused":["not-elf",""]"#), "{kept}");
    assert_eq!(serde_json::from_str::<Look>(&kept).unwrap(), refused(Cause::NotElf));
}
