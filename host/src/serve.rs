//! The loop of a host, which answers each request by one call and one reply.

use crate::Data;
use crate::channel::{BadRequest, Channel, Message};
use crate::client::{Client, move_bytes};
use crate::library::Library;
use crate::line::Line;
use agon_abi::{BODY, Expected, Layers, OpenStatus, Reply, RequestKind, bytes_of};
use std::path::Path;

/// Answers requests until the server closes the pipe.
///
/// # Errors
/// A request came that no server sends, or the server no longer reads.
pub fn serve(channel: &mut Channel, file: &Path, data: Data) -> Result<(), BadRequest> {
    let (mut client, mut data) = (None, Some(data));
    while let Some(message) = channel.receive()? {
        let reply = answer(&mut client, file, &mut data, message)?;
        channel.reply(&reply)?;
    }
    Ok(())
}

/// Reports which layers hold. The host runs no code of the client until the server has read this and asks to open it.
///
/// # Errors
/// The server no longer reads.
pub fn say_hello(channel: &mut Channel, layers: Layers) -> Result<(), BadRequest> {
    Ok(channel.reply(&reply(0, RequestKind::Hello, layers.0 as i32, &[]))?)
}

/// Waits for the request to open the client, which a program answers by its own lines. Returns whether it came.
///
/// # Errors
/// Another request came.
pub fn await_opening(channel: &mut Channel) -> Result<bool, BadRequest> {
    match channel.receive()? {
        None => Ok(false),
        Some(message) if message.head.kind == RequestKind::Open as u32 => Ok(true),
        Some(message) => Err(BadRequest::Unexpected(message.head.kind)),
    }
}

fn answer(
    client: &mut Option<Client>,
    file: &Path,
    data: &mut Option<Data>,
    message: Message<'_>,
) -> Result<Reply, BadRequest> {
    let sequence = message.head.sequence;
    let unexpected = BadRequest::Unexpected(message.head.kind);
    let kind = RequestKind::from_number(message.head.kind).ok_or(BadRequest::Unexpected(message.head.kind))?;
    if kind == RequestKind::Open && client.is_none() {
        let opened = open(client, file, message)?;
        if let (Some(client), Some(data)) = (client, data.take()) {
            client.give(data);
        }
        return Ok(reply(sequence, kind, opened as i32, &[]));
    }
    let client = client.as_mut().ok_or(unexpected)?;
    Ok(match kind {
        RequestKind::Play => {
            let mv = client.play_in_place(message.payload, message.links)?;
            reply(sequence, kind, 0, move_bytes(&mv, client.move_size()))
        }
        RequestKind::Initialize => reply(sequence, kind, client.initialize_words(message.payload, message.links)?, &[]),
        RequestKind::Name => {
            let name = client.name();
            reply(sequence, kind, name.flaw as i32, &name.bytes)
        }
        RequestKind::Finalize => {
            client.finalize();
            reply(sequence, kind, 0, &[])
        }
        RequestKind::Open | RequestKind::Hello => return Err(BadRequest::Unexpected(kind as u32)),
    })
}

fn open(client: &mut Option<Client>, file: &Path, message: Message<'_>) -> Result<OpenStatus, BadRequest> {
    let payload: Vec<u8> = message.payload.iter().flat_map(|word| bytes_of(word).iter().copied()).collect();
    let expected = Expected::from_payload(&payload).ok_or(BadRequest::Payload)?;
    match Library::open(file).and_then(|library| library.serve(&expected)) {
        Ok(opened) => {
            *client = Some(opened);
            Ok(OpenStatus::Ready)
        }
        Err(error) => {
            Line::new("agon.load").text(&error.text).send();
            Ok(error.opened)
        }
    }
}

fn reply(sequence: u32, kind: RequestKind, status: i32, bytes: &[u8]) -> Reply {
    let mut body = [0; BODY];
    let length = bytes.len().min(BODY);
    body[..length].copy_from_slice(&bytes[..length]);
    Reply { sequence, kind: kind as u32, status, length: length as u32, body }
}
