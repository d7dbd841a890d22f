//! The fields of C structs as values of JSON, and back.

use agon_abi::{Blob, Shape, Type};
use serde_json::Value;

pub(super) fn number(blob: &Blob, at: usize, size: u32) -> u64 {
    let mut bytes = [0; 8];
    let there = blob.bytes().get(at..at + size as usize).unwrap_or_default();
    bytes[..there.len()].copy_from_slice(there);
    u64::from_le_bytes(bytes)
}

/// The place of the slice that an address leads to, and its bytes.
pub(super) fn piece(blob: &Blob, at: usize) -> Option<(usize, u32)> {
    let link = blob.links().iter().find(|link| link.at as usize == at)?;
    let piece = blob.pieces().iter().find(|piece| piece.start == link.target)?;
    Some((piece.start as usize, piece.size))
}

/// Turns lines `key = value` into an object of texts.
pub(super) fn options(blob: &Blob, at: usize) -> Value {
    let bytes = piece(blob, at).and_then(|(start, size)| blob.bytes().get(start..start + size as usize));
    let text = String::from_utf8_lossy(bytes.unwrap_or_default());
    let lines = text.trim_end_matches('\0').lines().filter_map(|line| line.split_once(" = "));
    Value::Object(lines.map(|(key, value)| (key.to_owned(), Value::from(value))).collect())
}

/// The fields that a program writes.
pub(super) fn names(shape: &Shape) -> impl Iterator<Item = &'static str> {
    shape.fields.iter().map(|field| field.own_name()).filter(|name| !name.starts_with("reserved"))
}

/// Writes the given fields; all others stay zero.
pub(super) fn put_struct(value: &Value, shape: &Shape, bytes: &mut [u8]) -> Result<(), String> {
    let all = || names(shape).collect::<Vec<_>>().join(", ");
    let Value::Object(object) = value else { return Err(format!("a move that is not an object with {}", all())) };
    if let Some(key) = object.keys().find(|key| !names(shape).any(|name| name == key.as_str())) {
        return Err(format!("a move with \"{}\", which is none of {}", key.escape_debug(), all()));
    }
    if object.is_empty() {
        return Err(format!("an empty move, which has {}", all()));
    }
    for field in shape.fields {
        if let Some(value) = object.get(field.own_name()) {
            let (start, size) = (field.offset as usize, field.size as usize);
            put(value, field.kind, &mut bytes[start..start + size])
                .map_err(|why| format!("a move whose \"{}\" is wrong: {why}", field.own_name()))?;
        }
    }
    Ok(())
}

pub(super) fn put(value: &Value, kind: Type, bytes: &mut [u8]) -> Result<(), String> {
    match (kind, value) {
        (Type::Unsigned(4 | 8), Value::Null) => bytes.fill(0xff),
        (Type::Unsigned(size), Value::Number(number)) => {
            let most = u64::MAX >> (64 - 8 * size);
            let fits = number.as_u64().filter(|number| *number <= most);
            let number = fits.ok_or_else(|| format!("{number} is not a whole number from 0 to {most}"))?;
            bytes.copy_from_slice(&number.to_le_bytes()[..size as usize]);
        }
        (Type::Array(of, count), Value::Array(values)) => {
            if values.len() > count as usize {
                return Err(format!("{} values, {count} at most", values.len()));
            }
            for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(of.size() as usize)) {
                put(value, *of, bytes)?;
            }
        }
        (Type::Struct(shape), value) => put_struct(value, shape, bytes)?,
        (Type::Array(..), _) => return Err("a list is expected".to_owned()),
        _ => return Err("a whole number is expected".to_owned()),
    }
    Ok(())
}
