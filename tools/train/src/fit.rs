//! Fits the network to samples, by Adam on the surprise about what came of each position. What has been fitted is saved
//! each time all samples have been seen, so that a run goes on where another stopped.

use crate::samples::{KNOTS, Samples, WIDTH, divisor, unit};
use agon_search::{HIDDEN, INPUTS, ONE};
use candle_core::{D, DType, Device, Result, Tensor};
use candle_nn::{AdamW, Init, Optimizer, ParamsAdamW, VarBuilder, VarMap};
use std::fmt::Write;
use std::path::Path;

/// How often all samples are seen.
const EPOCHS: usize = 20;
/// Samples a step.
const BATCH: usize = 512;
/// How far a step goes at first; it becomes less evenly.
const RATE: f64 = 3e-3;
/// Beyond these log-odds nothing is sure any more.
const SUREST: f32 = 12.0;

/// The network in floating point.
struct Model {
    hidden: Tensor,
    bias: Tensor,
    /// The weights of the units that see the side to move first, and of those that see the other first.
    output: [Tensor; 2],
    turn: Tensor,
}

/// Samples as tensors.
struct Table {
    own: Tensor,
    other: Tensor,
    knots: Tensor,
    by_hand: Tensor,
    target: Tensor,
    rows: usize,
}

impl Model {
    fn new(vars: &VarBuilder) -> Result<Model> {
        let random = |stdev| Init::Randn { mean: 0.0, stdev };
        let output = |name| vars.get_with_hints((HIDDEN, KNOTS), name, random(0.05));
        Ok(Model {
            hidden: vars.get_with_hints((WIDTH, HIDDEN), "hidden", random(0.5 / (WIDTH as f64).sqrt()))?,
            bias: vars.get_with_hints(HIDDEN, "bias", Init::Const(0.3))?,
            output: [output("own")?, output("other")?],
            turn: vars.get_with_hints(KNOTS, "turn", Init::Const(0.0))?,
        })
    }

    /// The sum of the hand-made evaluation and the network, log-odds.
    fn log_odds(&self, table: &Table) -> Result<Tensor> {
        let units = |inputs: &Tensor| inputs.matmul(&self.hidden)?.broadcast_add(&self.bias)?.clamp(0f32, 1f32);
        let [own, other] = &self.output;
        let at_knots = (units(&table.own)?.matmul(own)? - units(&table.other)?.matmul(other)?)?;
        let correction = (at_knots.broadcast_add(&self.turn)? * &table.knots)?.sum(D::Minus1)?;
        (correction + &table.by_hand)?.clamp(-SUREST, SUREST)
    }

    /// Nats by which the targets surprise.
    fn loss(&self, table: &Table) -> Result<Tensor> {
        surprise(&self.log_odds(table)?, &table.target)
    }

    /// As `Network::parse` reads it.
    fn text(&self) -> Result<String> {
        let one = f64::from(ONE);
        let mut text = String::new();
        let hidden = self.hidden.to_vec2::<f32>()?;
        let (own, other) = hidden.split_at(INPUTS);
        for (input, (own, other)) in own.iter().zip(other).enumerate() {
            let scale = one / 2.0 / f64::from(divisor(input));
            row(&mut text, own.iter().zip(other).map(|(own, other)| scale * f64::from(own + other)));
            row(&mut text, own.iter().zip(other).map(|(own, other)| scale * f64::from(own - other)));
        }
        row(&mut text, self.bias.to_vec1::<f32>()?.into_iter().map(|bias| one * f64::from(bias)));
        let [own, other] = [self.output[0].t()?.to_vec2::<f32>()?, self.output[1].t()?.to_vec2::<f32>()?];
        for ((own, other), turn) in own.into_iter().zip(other).zip(self.turn.to_vec1::<f32>()?) {
            row(&mut text, own.into_iter().chain(other).chain([turn]).map(|weight| unit() * f64::from(weight)));
        }
        Ok(text)
    }
}

fn row(text: &mut String, numbers: impl Iterator<Item = f64>) {
    let words: Vec<String> = numbers.map(|number| (number.round() as i64).to_string()).collect();
    let _ = writeln!(text, "{}", words.join(" "));
}

/// The mean of log(1 + exp(odds)) - target * odds.
fn surprise(odds: &Tensor, target: &Tensor) -> Result<Tensor> {
    let log = (odds.abs()?.neg()?.exp()? + 1.0)?.log()?;
    ((log + odds.relu()?)? - (odds * target)?)?.mean_all()
}

impl Table {
    fn new(samples: &Samples) -> Result<Table> {
        let rows = samples.rows();
        let of = |numbers: &[f32]| Tensor::from_slice(numbers, (rows, numbers.len() / rows.max(1)), &Device::Cpu);
        Ok(Table {
            own: of(&samples.own)?,
            other: of(&samples.other)?,
            knots: of(&samples.knots)?,
            by_hand: Tensor::from_slice(&samples.by_hand, rows, &Device::Cpu)?,
            target: Tensor::from_slice(&samples.target, rows, &Device::Cpu)?,
            rows,
        })
    }

    fn rows(&self, rows: &[u32]) -> Result<Table> {
        let rows = Tensor::from_slice(rows, rows.len(), &Device::Cpu)?;
        let of = |tensor: &Tensor| tensor.index_select(&rows, 0);
        Ok(Table {
            own: of(&self.own)?,
            other: of(&self.other)?,
            knots: of(&self.knots)?,
            by_hand: of(&self.by_hand)?,
            target: of(&self.target)?,
            rows: rows.elem_count(),
        })
    }
}

/// Fits on the first samples, and tests on the others; the network as a text.
pub fn fit(samples: &[Samples; 2], folder: &Path, below: &mut dyn FnMut(u64) -> u64) -> Result<String> {
    let (table, test) = (Table::new(&samples[0])?, Table::new(&samples[1])?);
    let mut vars = VarMap::new();
    let model = Model::new(&VarBuilder::from_varmap(&vars, DType::F32, &Device::Cpu))?;
    let done = (1..=EPOCHS).rev().find(|epoch| saved(folder, *epoch).exists()).unwrap_or(0);
    if done > 0 {
        vars.load(saved(folder, done))?;
    }
    let bits = |loss: Tensor| Ok::<f64, candle_core::Error>(f64::from(loss.to_scalar::<f32>()?) / 2f64.ln());
    println!("{} positions to fit, {} to test; surprise in bits a position:", table.rows, test.rows);
    println!("  by hand alone {:.4}", bits(surprise(&test.by_hand, &test.target)?)?);
    let mut adam = AdamW::new(vars.all_vars(), ParamsAdamW { lr: RATE, weight_decay: 1e-5, ..Default::default() })?;
    let mut order: Vec<u32> = (0..table.rows as u32).collect();
    for epoch in done + 1..=EPOCHS {
        for at in (1..order.len()).rev() {
            order.swap(at, below(at as u64 + 1) as usize);
        }
        adam.set_learning_rate(RATE * (EPOCHS + 1 - epoch) as f64 / EPOCHS as f64);
        for rows in order.chunks(BATCH) {
            adam.backward_step(&model.loss(&table.rows(rows)?)?)?;
        }
        vars.save(saved(folder, epoch))?;
        println!("  after {epoch} of {EPOCHS} {:.4}", bits(model.loss(&test)?)?);
    }
    model.text()
}

/// Where the fit is kept after so many epochs.
fn saved(folder: &Path, epoch: usize) -> std::path::PathBuf {
    folder.join(format!("fit-{epoch:02}.safetensors"))
}
