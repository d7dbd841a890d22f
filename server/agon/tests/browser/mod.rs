//! A real browser, driven through its debugging pipe: pages are opened, keys pressed, and what they ask for and say is
//! kept. Only what these tests need of the protocol, over a line of JSON ended by a NUL.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

pub mod board;
pub mod server;

pub use server::{Running, status};

use serde_json::{Value, json};
use server::end_now;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long the browser may take for one answer, on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(120);

/// The browser with one page.
pub struct Browser {
    process: Child,
    to: Sender<String>,
    from: Receiver<Value>,
    session: String,
    number: u64,
    events: Vec<Value>,
    _profile: TempDir,
}

/// Whether there is one; without it the test that asks is skipped.
pub fn has_browser() -> bool {
    agon_skips::has_program("chromium")
}

/// The texts of a list.
#[track_caller]
pub fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// No rule of axe-core is broken, in light and dark, small and large; skipped where it is not installed.
#[track_caller]
pub fn is_accessible(browser: &mut Browser) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(&file) else { return agon_skips::skip("axe-core") };
    browser.value(&format!("{axe}; 1"));
    // Colours do not follow from the width, nor what is there from the colours.
    for (scheme, width) in [("light", 1280), ("dark", 360)] {
        browser.prefer(scheme);
        browser.resize(width, 800);
        let broken = "axe.run().then(found => found.violations.map(rule => rule.id + ': ' + rule.help + ' ' + \
                      rule.nodes.slice(0, 3).map(node => node.html + node.failureSummary).join(' | ')))";
        assert_eq!(strings(&browser.value(broken)), [""; 0], "{scheme} {width}");
    }
}

impl Browser {
    /// A new one, with an empty page.
    pub fn start() -> Browser {
        let profile = tempfile::Builder::new().prefix("agon-browser-").tempdir().unwrap();
        // The shell gives the browser the descriptors 3 and 4, from which it reads and to which it writes.
        let flags = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking \
                     --disable-component-update --no-first-run --allow-pre-commit-input --remote-debugging-pipe";
        let line = format!("exec chromium {flags} --user-data-dir=\"$0\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1");
        let mut command = Command::new("sh");
        command.args(["-c", &line]).arg(profile.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (mut pipe, from) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let (to, messages) = channel::<String>();
        // A browser that reads nothing any more holds up this thread, and not the test.
        std::thread::spawn(move || messages.iter().try_for_each(|message| pipe.write_all(message.as_bytes())));
        let (send, receive) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(from).split(0).map_while(Result::ok) {
                let _ = send.send(serde_json::from_slice(&message).unwrap());
            }
        });
        let mut browser = Browser {
            process,
            to,
            from: receive,
            session: String::new(),
            number: 0,
            events: Vec::new(),
            _profile: profile,
        };
        browser.tab();
        browser
    }

    /// Another page in a window of its own, which the commands are for from now on; what `focus` knows it by.
    pub fn tab(&mut self) -> String {
        self.session.clear();
        let target = self.call("Target.createTarget", json!({"url": "about:blank", "newWindow": true}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        self.session = self.call("Target.attachToTarget", attach)["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.session.clone()
    }

    /// From now on commands are for this page.
    pub fn focus(&mut self, tab: &str) {
        tab.clone_into(&mut self.session);
        self.call("Page.bringToFront", json!({}));
    }

    /// What `focus` knows the page by that commands are for.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// What pages said up to now is not looked at any more.
    pub fn forget(&mut self) {
        self.events.clear();
    }

    /// One command and its result.
    #[track_caller]
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// One command and its result, or what the browser says against it.
    #[track_caller]
    fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.send(format!("{message}\0")).unwrap();
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let message = self.from.recv_timeout(left).unwrap_or_else(|error| panic!("{method}: {error}"));
            if message["id"] == json!(self.number) {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
            self.events.push(message);
        }
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        self.events.clear();
        self.value("window.isLeft = true");
        let gone = self.call("Page.navigate", json!({"url": address}));
        if gone["loaderId"].is_null() {
            return; // to another place of the same page
        }
        // A link with a token leads to a page that leads on, and a replay unpacks its data.
        let loaded = "!window.isLeft && document.readyState === 'complete' \
            && !/^http:.*[?]token=/.test(location.href) && !('begins' in document.documentElement.dataset)";
        self.wait(|browser| browser.value(loaded) == true);
    }

    /// Until it holds.
    #[track_caller]
    pub fn wait(&mut self, mut holds: impl FnMut(&mut Browser) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < PATIENCE, "waited in vain");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What an expression of the page comes to; where the page is just being left, of the next one.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let how = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let begun = Instant::now();
        let is_leaving = |error: &Value| error["message"] == "Inspected target navigated or closed";
        let answer = loop {
            match self.try_call("Runtime.evaluate", how.clone()) {
                Ok(answer) => break answer,
                Err(error) if is_leaving(&error) && begun.elapsed() < PATIENCE => {}
                Err(error) => panic!("{expression}: {error}"),
            }
        };
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// What a program that reads pages aloud is told, in its order: `role: name`, with the value of what has one.
    pub fn heard(&mut self) -> Vec<String> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().unwrap();
        let find = |id: &Value| nodes.iter().find(|node| node["nodeId"] == *id);
        let (mut heard, mut open) = (Vec::new(), vec![&nodes[0]]);
        while let Some(node) = open.pop() {
            open.extend(node["childIds"].as_array().into_iter().flatten().rev().filter_map(find));
            let text = |key: &str| node[key]["value"].as_str().unwrap_or_default().to_owned();
            let (role, name, value) = (text("role"), text("name"), text("value"));
            if node["ignored"] == false && !name.is_empty() && role != "InlineTextBox" {
                heard.push(format!("{role}: {name} {value}").trim().to_owned());
            }
        }
        heard
    }

    /// Presses a key, as a person does: ` ` and letters by themselves, others by their names.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "ArrowUp" => 38,
            "ArrowDown" => 40,
            "Escape" => 27,
            "Tab" => 9,
            "Enter" => 13,
            _ => 0,
        };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        match key {
            "Enter" => event["text"] = json!("\r"),
            _ if code == 0 => event["text"] = json!(key),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Clicks into the middle of the first thing that a selector finds.
    pub fn click(&mut self, selector: &str) {
        // What is shown already does nothing until its script is there.
        self.wait(|browser| browser.value("document.readyState") == "complete");
        let place = self.value(&format!(
            "(found => {{ found.scrollIntoView({{ block: 'center' }}); const box = found.getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2]; }})(document.querySelector({selector:?}))"
        ));
        let place: [f64; 2] = serde_json::from_value(place).unwrap();
        ["mousePressed", "mouseReleased"].iter().for_each(|kind| self.mouse(kind, place));
    }

    /// Presses, moves or releases the mouse at a place of the window.
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Chooses a file in the field that a selector finds.
    pub fn choose_file(&mut self, selector: &str, file: &Path) {
        let root = self.call("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let field = self.call("DOM.querySelector", json!({"nodeId": root, "selector": selector}));
        self.call("DOM.setFileInputFiles", json!({"nodeId": field["nodeId"], "files": [file.to_str().unwrap()]}));
    }

    /// Types a text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// The size of the window.
    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// As a person has set the system: `light` or `dark`.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Whether pages may run scripts; they may at first.
    pub fn allow_scripts(&mut self, allowed: bool) {
        self.call("Emulation.setScriptExecutionDisabled", json!({"value": !allowed}));
    }

    /// What the page asked the network for since it was opened, itself left out.
    pub fn requests(&self) -> Vec<String> {
        let urls = self.of("Network.requestWillBeSent").map(|event| event["request"]["url"].to_string());
        urls.skip(1).collect()
    }

    /// What it wrote to the console, and what the browser found wrong with it.
    pub fn complaints(&self) -> Vec<String> {
        let said = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
        said.iter().flat_map(|method| self.of(method)).map(Value::to_string).collect()
    }

    fn of<'a>(&'a self, method: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["method"] == method).map(|event| &event["params"])
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends with its pipe; what is left of it, with this.
        end_now(&mut self.process);
    }
}
