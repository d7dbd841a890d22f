//! The steps of a match as bytes: 48 a step, little-endian, so that a match is one value in the record.

use agon_games::MoveBytes;
use agon_model::Step;

const SIZE: usize = 48;

/// All steps, in order.
pub fn steps(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(steps.len() * SIZE);
    for step in steps {
        let mv = step.mv.as_slice();
        let mut padded = [0u8; 16];
        padded[..mv.len()].copy_from_slice(mv);
        bytes.extend(step.ply.to_le_bytes());
        bytes.extend([step.seat as u8, u8::from(step.by_client), mv.len() as u8, 0]);
        bytes.extend(padded);
        bytes.extend(step.cpu_us.to_le_bytes());
        bytes.extend(step.wall_us.to_le_bytes());
        bytes.extend(step.hash.to_le_bytes());
    }
    bytes
}

/// Reads the steps that `steps` wrote; `None` if the bytes are something else.
pub fn read_steps(bytes: &[u8]) -> Option<Vec<Step>> {
    let chunks = bytes.chunks_exact(SIZE);
    if !chunks.remainder().is_empty() {
        return None;
    }
    let number = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
    chunks
        .map(|chunk| {
            let length = usize::from(chunk[6]).min(16);
            Some(Step {
                ply: u32::from_le_bytes(chunk[0..4].try_into().ok()?),
                seat: usize::from(chunk[4]),
                by_client: chunk[5] == 1,
                mv: MoveBytes::new(&chunk[8..8 + length]),
                cpu_us: number(&chunk[24..32])?,
                wall_us: number(&chunk[32..40])?,
                hash: number(&chunk[40..48])?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_survive() {
        let step = |seat| Step {
            ply: 7,
            seat,
            mv: MoveBytes::new(&[1, 2, 3]),
            by_client: seat == 1,
            cpu_us: 1 << 40,
            wall_us: 5,
            hash: u64::MAX,
        };
        let all = [step(0), step(1)];
        assert_eq!(read_steps(&steps(&all)).unwrap(), all);
        assert_eq!(read_steps(&[0; 47]), None);
    }
}
