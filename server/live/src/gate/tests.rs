//! The gate's hosts, tokens, cookies and origins.

use super::*;

fn asked(host: &str) -> hyper::http::request::Builder {
    Request::builder().uri("/").header("host", host)
}

fn status(gate: &Gate, request: hyper::http::request::Builder) -> u16 {
    match gate.judge(&request.body(()).unwrap()) {
        GateVerdict::Pass(_) => 200,
        GateVerdict::Enter(..) => 303,
        GateVerdict::Refuse(status, _) => status.as_u16(),
    }
}

#[test]
fn whoever_comes_through_a_server_before_this_one_is_who_that_saw() {
    let local = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), None);
    let behind = local.clone().behind(Some(crate::address::public("https://course.example.org").unwrap()));
    let origin = |gate: &Gate, peer: &str, lines: &[&str]| {
        let mut request = asked("127.0.0.1").body(()).unwrap();
        request.extensions_mut().insert(Peer {
            address: peer.parse().unwrap(),
            patience: Duration::ZERO,
            is_encrypted: false,
        });
        for line in lines {
            request.headers_mut().append("x-forwarded-for", line.parse().unwrap());
        }
        gate.origin(&request).to_string()
    };
    for (lines, seen) in [
        (&["192.0.2.1"][..], "192.0.2.1"),
        // What a visitor says of itself stands before what the server saw.
        (&["198.51.100.7, 10.0.0.1,192.0.2.1"], "192.0.2.1"),
        (&["198.51.100.7", "192.0.2.1"], "192.0.2.1"),
        (&["2001:db8:1:2:3::4"], "2001:db8:1:2::"),
        (&["::ffff:192.0.2.1"], "192.0.2.1"),
        (&[], "127.0.0.1"),
        (&["unknown"], "127.0.0.1"),
        (&["192.0.2.1, "], "127.0.0.1"),
        (&["192.0.2.1:4711"], "127.0.0.1"),
    ] {
        assert_eq!(origin(&behind, "127.0.0.1", lines), seen, "{lines:?}");
        assert_eq!(origin(&local, "127.0.0.1", lines), "127.0.0.1", "no server is before it: {lines:?}");
        assert_eq!(origin(&behind, "203.0.113.9", lines), "203.0.113.9", "it is another machine: {lines:?}");
    }
}

#[test]
fn only_names_of_this_machine_are_answered() {
    let local = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), None);
    for host in ["127.0.0.1:7420", "localhost:9000", "LOCALHOST", "[::1]:7420"] {
        assert_eq!(status(&local, asked(host)), 200, "{host}");
    }
    for host in [
        "evil.example:7420",
        "192.168.1.2:7420",
        "box:7420",
        "a@localhost",
        "",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "/",
        "[::1",
    ] {
        assert_eq!(status(&local, asked(host)), 421, "{host}");
    }
    assert_eq!(status(&local, asked("localhost").header("host", "evil.example")), 421, "two hosts");
    assert_eq!(status(&local, Request::builder().uri("/")), 421, "no host");
    assert_eq!(status(&local, asked("localhost").uri("http://evil.example/")), 421);
    let shared = Gate::new("0.0.0.0:7420".parse().unwrap(), "box".to_owned(), None);
    for (host, expected) in [("192.168.1.2:7420", 200), ("Box:7420", 200), ("evil.example", 421)] {
        assert_eq!(status(&shared, asked(host)), expected, "{host}");
    }
}

#[test]
fn pages_are_only_read() {
    let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), String::new(), None);
    assert_eq!(status(&gate, asked("localhost").method("HEAD")), 200);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        assert_eq!(status(&gate, asked("localhost").method(method)), 405, "{method}");
    }
    assert_eq!(status(&gate, asked("localhost").header("content-length", "5")), 413);
    assert_eq!(status(&gate, asked("localhost").header("transfer-encoding", "chunked")), 413);
}

#[test]
fn a_token_is_given_once_and_then_a_cookie() {
    let gate = Gate::new("0.0.0.0:7420".parse().unwrap(), "box".to_owned(), Some("secret"));
    assert_eq!(status(&gate, asked("box")), 403);
    assert_eq!(status(&gate, asked("box").uri("/?token=secre")), 403);
    assert_eq!(status(&gate, asked("box").uri("/?token=secret")), 303);
    for (cookie, expected) in
        [("agon-7420=secret", 200), ("a=b; agon-7420=secret", 200), ("agon-7420=", 403), ("agon-1=secret", 403)]
    {
        assert_eq!(status(&gate, asked("box").header("cookie", cookie)), expected, "{cookie}");
    }
}

#[test]
fn a_team_is_known_by_its_own_token() {
    let folder = tempfile::tempdir().unwrap();
    let mut links = TeamLinks::read(folder.path()).unwrap();
    let red = Team { ladder: "class".to_owned(), team: "red".to_owned() };
    links.invite(red.clone()).unwrap();
    links.write().unwrap();
    let token = links.of("class").next().unwrap().1.to_owned();
    let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), Some("secret"));
    let gate = gate.with_teams(folder.path().to_owned());
    let judge =
        |path: &str, cookie: &str| gate.judge(&asked("localhost").uri(path).header("cookie", cookie).body(()).unwrap());
    assert_eq!(status(&gate, asked("localhost")), 403, "on this machine, too");
    assert_eq!(judge("/agon.css", ""), GateVerdict::Pass(Viewer::Stranger), "a refusal has the style of the pages");
    assert!(matches!(judge("/site.js", ""), GateVerdict::Refuse(StatusCode::FORBIDDEN, _)));
    for wrong in [&token[1..], "secre", ""] {
        assert!(matches!(judge(&format!("/team?token={wrong}"), ""), GateVerdict::Refuse(StatusCode::FORBIDDEN, _)));
    }
    let GateVerdict::Enter(cookie, to) = judge(&format!("/team?token={token}"), "") else { panic!("{token}") };
    assert!(cookie.contains("HttpOnly; SameSite=Strict") && to == "/team", "{cookie} {to}");
    let own = cookie.split(';').next().unwrap();
    assert_eq!(judge("/ladder/1/index.html", own), GateVerdict::Pass(Viewer::Team(red.clone())));
    let both = format!("{own}; agon-7420=secret");
    assert_eq!(judge("/ladder/1/index.html", &both), GateVerdict::Pass(Viewer::Anybody));
    assert_eq!(judge("/team", &both), GateVerdict::Pass(Viewer::Team(red.clone())));
    assert_eq!(judge("/team", "agon-7420=secret"), GateVerdict::Pass(Viewer::Anybody));
    let cross = format!("agon-7420={token}; agon-7420-team=secret");
    assert!(matches!(judge("/team", &cross), GateVerdict::Refuse(..)), "a token is only what it is");
    links.revoke(&red);
    links.write().unwrap();
    assert!(matches!(judge("/team", own), GateVerdict::Refuse(StatusCode::FORBIDDEN, _)), "at once");
}

#[test]
#[expect(clippy::too_many_lines)]
fn only_the_page_of_a_team_hands_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut links = TeamLinks::read(folder.path()).unwrap();
    links.invite(Team { ladder: "class".to_owned(), team: "red".to_owned() }).unwrap();
    links.write().unwrap();
    let cookie = format!("agon-7420-team={}", links.of("class").next().unwrap().1);
    let closed = || {
        let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), Some("secret"));
        gate.with_teams(folder.path().to_owned())
    };
    let open = closed().taking(100);
    let post = |gate: &Gate, path: &str, changed: (&str, &str)| {
        let heads = [
            ("host", "localhost:7420"),
            ("origin", "http://localhost:7420"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/octet-stream"),
            ("content-length", "100"),
            ("cookie", &cookie),
        ];
        let heads = heads.into_iter().filter(|(name, _)| *name != changed.0).chain([changed]);
        let heads = heads.filter(|(_, value)| !value.is_empty());
        let request = Request::builder().uri(path).method("POST");
        status(gate, heads.fold(request, |request, (name, value)| request.header(name, value)))
    };
    assert_eq!(post(&open, UPLOAD, ("x", "y")), 200);
    assert_eq!(post(&closed(), UPLOAD, ("x", "y")), 405, "where nothing is taken");
    for (path, changed, expected) in [
        ("/team", ("x", "y"), 405),
        ("/team/submission/../x", ("x", "y"), 405),
        (UPLOAD, ("host", "evil.example"), 421),
        (UPLOAD, ("origin", ""), 403),
        (UPLOAD, ("origin", "null"), 403),
        (UPLOAD, ("origin", "http://evil.example"), 403),
        (UPLOAD, ("origin", "http://localhost:8000"), 403),
        (UPLOAD, ("sec-fetch-site", "cross-site"), 403),
        (UPLOAD, ("sec-fetch-site", "same-site"), 403),
        (UPLOAD, ("content-type", "multipart/form-data"), 415),
        (UPLOAD, ("content-type", ""), 415),
        (UPLOAD, ("content-length", "101"), 413),
        (UPLOAD, ("content-length", "-1"), 411),
        (UPLOAD, ("content-length", ""), 411),
        (UPLOAD, ("transfer-encoding", "chunked"), 411),
        (UPLOAD, ("cookie", ""), 403),
        (UPLOAD, ("cookie", "agon-7420-team=0123"), 403),
    ] {
        assert_eq!(post(&open, path, changed), expected, "{path} {changed:?}");
    }
}

#[test]
fn behind_a_server_that_does_tls_its_name_and_its_pages_are_own() {
    let public = crate::address::public("https://Course.example.org").unwrap();
    let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), Some("secret")).behind(Some(public));
    for (host, expected) in
        [("course.example.org", 403), ("course.example.org:443", 403), ("127.0.0.1:7420", 403), ("evil.example", 421)]
    {
        assert_eq!(status(&gate, asked(host)), expected, "{host}");
    }
    let enters = gate.judge(&asked("course.example.org").uri("/?token=secret").body(()).unwrap());
    assert!(matches!(enters, GateVerdict::Enter(cookie, _) if cookie.ends_with("; Secure")));
    let gate = gate.taking(100);
    let sent = |host: &str, origin: &str| {
        let post = Request::builder().method(Method::POST).uri(UPLOAD).header("host", host);
        let post = post.header("origin", origin).header("content-type", "application/octet-stream");
        status(&gate, post.header("content-length", "9").header("cookie", "agon-7420=secret"))
    };
    // Whether the server before passes on its own name or that of this one.
    for host in ["course.example.org", "127.0.0.1:7420"] {
        assert_eq!(sent(host, "https://course.example.org"), 200, "{host}");
        for other in ["https://evil.example", "http://course.example.org.evil.example", "null", ""] {
            assert_eq!(sent(host, other), 403, "{host} {other}");
        }
    }
    assert_eq!(sent("evil.example", "https://course.example.org"), 421);
}

#[test]
fn a_page_that_came_encrypted_sends_forms_encrypted_and_its_cookies_stay_there() {
    let gate = Gate::new("0.0.0.0:7420".parse().unwrap(), "box".to_owned(), Some("secret")).playing();
    let encrypted = |mut request: Request<()>, is_encrypted| {
        let address = "192.0.2.1".parse().unwrap();
        request.extensions_mut().insert(Peer { address, patience: Duration::ZERO, is_encrypted });
        request
    };
    let entered = gate.judge(&encrypted(asked("box:7420").uri("/?token=secret").body(()).unwrap(), true));
    let GateVerdict::Enter(cookie, _) = entered else { panic!("{entered:?}") };
    assert!(cookie.starts_with("agon-7420-tls=secret;") && cookie.ends_with("; Secure"), "{cookie}");
    for (is_encrypted, origin, cookie, passes) in [
        (true, "https://box:7420", "agon-7420-tls=secret", true),
        (true, "http://box:7420", "agon-7420-tls=secret", false),
        (true, "https://evil.example", "agon-7420-tls=secret", false),
        (true, "https://box:7420", "agon-7420=secret", false),
        (false, "https://box:7420", "agon-7420=secret", false),
        (false, "http://box:7420", "agon-7420=secret", true),
    ] {
        let post = asked("box:7420").uri("/ladder/1/play").method("POST").header("origin", origin);
        let post = post.header("content-type", "application/json").header("content-length", "2");
        let verdict = gate.judge(&encrypted(post.header("cookie", cookie).body(()).unwrap(), is_encrypted));
        assert_eq!(matches!(verdict, GateVerdict::Pass(_)), passes, "{is_encrypted} {origin} {cookie}");
    }
}
