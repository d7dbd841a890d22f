//! `--metrics ADDR`: a run in numbers, for Prometheus. Events are counted as they happen and written down on request,
//! so that playing never waits.

use agon_command::Failure;
use agon_command::output::say;
use agon_crew::remote::{ExchangeTally, WorkerTally};
use agon_games::Said;
use agon_live::address;
use agon_live::address::address;
use agon_live::content::{Content, Resource};
use agon_live::gate::{Gate, GateVerdict};
use agon_live::http::Server;
use agon_live::viewer::Viewer;
use agon_tournament::RunEvent;
use clap::Args;
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// The path at which Prometheus asks.
pub const PATH: &str = "/metrics";

/// Where the numbers are told.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MetricsArgs {
    /// Serves numbers for Prometheus at /metrics of this address: ADDRESS:PORT. If you write only PORT, only this
    /// machine can connect. Anyone who reaches the address can read them.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    metrics: Option<SocketAddr>,
}

impl MetricsArgs {
    /// Starts the page if that was asked for; it runs as long as the returned value lives.
    pub fn start(self, registry: Registry) -> Result<Option<Server>, Failure> {
        let Some(at) = self.metrics else { return Ok(None) };
        let (listener, at) = address::listen(Some(at))?;
        let gate = at.ip().is_loopback().then(|| Gate::new(at, address::name(), None));
        let server = Server::start(listener, Numbers { registry, gate });
        let server =
            server.map_err(|error| Failure::trouble(format!("no thread can be started for the metrics: {error}")))?;
        say(&format!("metrics: {}", address::link(at, None).trim_end_matches('/').to_owned() + PATH));
        Ok(Some(server))
    }
}

/// The numbers that the page shows.
struct Numbers {
    registry: Registry,
    /// Set where only this machine may ask: then no page of another site can.
    gate: Option<Gate>,
}

/// Why nothing is taken.
const METRICS_ARE_READ: Said = Said::new("metrics can only be read", "les mesures ne peuvent être que lues");

impl Content for Numbers {
    type Viewer = Viewer;

    const TICK: Duration = Duration::from_secs(60);

    fn judge(&self, request: &Request<Incoming>) -> GateVerdict<Viewer> {
        match &self.gate {
            Some(gate) => gate.judge(request),
            None if matches!(*request.method(), Method::GET | Method::HEAD) => GateVerdict::Pass(Viewer::Anybody),
            None => GateVerdict::Refuse(StatusCode::METHOD_NOT_ALLOWED, METRICS_ARE_READ),
        }
    }

    fn find(&self, _: &Viewer, path: &str) -> Result<Resource, Failure> {
        if path != PATH {
            return Ok(Resource::Nothing);
        }
        let mut told = String::new();
        text::encode(&mut told, &self.registry).map_err(Failure::trouble)?;
        Ok(Resource::Text(told))
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(String::new())
    }
}

/// A ladder that is played.
pub struct LadderMetrics {
    blocks: Counter,
    void: Counter,
    matches: Counter,
    seconds: Histogram,
    faults: Family<FaultLabels, Counter>,
    planned: Gauge,
    recorded: Gauge,
}

/// The label of a fault.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct FaultLabels {
    kind: &'static str,
}

impl LadderMetrics {
    /// The numbers of the ladder with this name before anything happened, and the registry that shows them.
    pub fn new(ladder: &str, workers: Option<Arc<ExchangeTally>>) -> (LadderMetrics, Registry) {
        let metrics = LadderMetrics {
            blocks: Counter::default(),
            void: Counter::default(),
            matches: Counter::default(),
            // The buckets reach from a millisecond to four and a half hours.
            seconds: Histogram::new(exponential_buckets(0.001, 4.0, 13)),
            faults: Family::default(),
            planned: Gauge::default(),
            recorded: Gauge::default(),
        };
        let label = (Cow::Borrowed("ladder"), Cow::Owned(ladder.to_owned()));
        let mut registry = Registry::with_prefix_and_labels("agon", [label].into_iter());
        registry.register("blocks", "Blocks that were played and kept", metrics.blocks.clone());
        registry.register("void_blocks", "Blocks that could not be played", metrics.void.clone());
        registry.register("matches", "Matches that were played and kept", metrics.matches.clone());
        let help = "How long a match took";
        registry.register_with_unit("match_duration", help, Unit::Seconds, metrics.seconds.clone());
        registry.register("faults", "Faults of clients, by their kind", metrics.faults.clone());
        registry.register("matches_planned", "Matches of the whole ladder, as far as known", metrics.planned.clone());
        registry.register("matches_recorded", "Matches of it that are in the record", metrics.recorded.clone());
        if let Some(tally) = workers {
            registry.register_collector(Box::new(ExchangeNumbers(tally)));
        }
        (metrics, registry)
    }

    /// Counts an event of the run.
    pub fn tell(&self, event: &RunEvent) {
        match event {
            RunEvent::Ready { matches, done, .. } => {
                self.planned.set(*matches as i64);
                self.recorded.set(*done as i64);
            }
            RunEvent::Paired(_, matches) => drop(self.planned.set(*matches as i64)),
            RunEvent::Skipped(matches) => drop(self.planned.dec_by(*matches as i64)),
            RunEvent::Void(_) => drop(self.void.inc()),
            RunEvent::Played(played, _) => {
                self.blocks.inc();
                self.matches.inc_by(played.matches.len() as u64);
                self.recorded.inc_by(played.matches.len() as i64);
                for ended in &played.matches {
                    self.seconds.observe(ended.wall_us as f64 / 1e6);
                    for fault in ended.seats.iter().filter_map(|seat| seat.fault.as_ref()) {
                        self.faults.get_or_create(&FaultLabels { kind: fault.kind.name() }).inc();
                    }
                }
            }
            _ => {}
        }
    }
}

/// The workers of a ladder.
#[derive(Debug)]
struct ExchangeNumbers(Arc<ExchangeTally>);

impl Collector for ExchangeNumbers {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let ExchangeTally { workers, wants, open, kept, void, refused, audited } = &*self.0;
        let out = &mut encoder;
        gauge(out, "workers", "Workers of other machines that play this ladder", workers.get())?;
        gauge(out, "worker_slots", "Blocks that they would hold at a time", wants.get())?;
        gauge(out, "worker_blocks_open", "Blocks that are offered to them and not done", open.get())?;
        counter(out, "worker_blocks_kept", "Blocks of theirs that were kept", kept.get())?;
        counter(out, "worker_blocks_void", "Blocks that were void with them", void.get())?;
        counter(out, "worker_blocks_refused", "Deliveries of theirs that were refused", refused.get())?;
        counter(out, "worker_blocks_audited", "Deliveries that another one plays again", audited.get())
    }
}

/// The registry of a worker's numbers.
pub fn worker_registry(name: &str, tally: Arc<WorkerTally>) -> Registry {
    let label = (Cow::Borrowed("worker"), Cow::Owned(name.to_owned()));
    let mut registry = Registry::with_prefix_and_labels("agon_worker", [label].into_iter());
    registry.register_collector(Box::new(WorkerNumbers(tally)));
    registry
}

/// The numbers of a worker.
#[derive(Debug)]
struct WorkerNumbers(Arc<WorkerTally>);

impl Collector for WorkerNumbers {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let WorkerTally { delivered, refused, held, unsent, away } = &*self.0;
        let out = &mut encoder;
        counter(out, "delivered_blocks", "Blocks that were delivered and taken", delivered.get())?;
        counter(out, "refused_blocks", "Blocks that were delivered and refused", refused.get())?;
        gauge(out, "held_blocks", "Blocks that are claimed and not played", held.get())?;
        gauge(out, "unsent_blocks", "Blocks that are played and not acknowledged", unsent.get())?;
        gauge(out, "record_away", "1 while the record does not answer", away.get())
    }
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, number: u64) -> fmt::Result {
    let counter = ConstCounter::new(number);
    counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)
}

fn gauge(encoder: &mut DescriptorEncoder, name: &str, help: &str, number: u64) -> fmt::Result {
    let gauge = ConstGauge::new(number as i64);
    gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)
}
