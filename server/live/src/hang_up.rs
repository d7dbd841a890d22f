//! Ends a connection whose answer is not read in time: what the answer holds is free then.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Hangs up on one connection.
#[derive(Clone, Debug, Default)]
pub struct HangUp(Arc<Notify>);

/// Hangs up at its time, unless it is dropped before.
#[derive(Debug)]
pub struct Deadline(JoinHandle<()>);

impl HangUp {
    /// Hangs up after so long.
    pub fn after(&self, most: Duration) -> Deadline {
        let told = Arc::clone(&self.0);
        Deadline(tokio::spawn(async move {
            sleep(most).await;
            told.notify_one();
        }))
    }

    /// The end of a connection; nothing if it was hung up on.
    pub async fn watch<T>(&self, connection: impl Future<Output = T>) -> Option<T> {
        let (mut connection, mut told) = (pin!(connection), pin!(self.0.notified()));
        poll_fn(|context| match told.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => connection.as_mut().poll(context).map(Some),
        })
        .await
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer;
    use hyper::body::{Bytes, Incoming};
    use hyper::server::conn::http1;
    use hyper::service::service_fn;
    use hyper::{Request, StatusCode};
    use hyper_util::rt::TokioIo;
    use std::convert::Infallible;
    use std::time::Instant;
    use tokio::net::{TcpListener, TcpStream};

    #[test]
    fn an_answer_that_nobody_reads_is_not_held_for_ever() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            client.writable().await.unwrap();
            client.try_write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let (hang_up, held) = (HangUp::default(), Arc::new(()));
            let mark = Arc::downgrade(&held);
            let (ends, held) = (hang_up.clone(), std::sync::Mutex::new(Some(held)));
            let answer = service_fn(move |_: Request<Incoming>| {
                let bytes = Bytes::from(vec![0; 64 << 20]);
                let deadline = ends.after(Duration::from_millis(300));
                let held = held.lock().unwrap().take();
                let sent = answer::to_worker(StatusCode::OK, "x/y", bytes, (held, deadline));
                async move { Ok::<_, Infallible>(sent) }
            });
            let connection =
                http1::Builder::new().max_buf_size(16 << 10).serve_connection(TokioIo::new(stream), answer);
            let began = Instant::now();
            assert!(hang_up.watch(connection).await.is_none());
            assert!(began.elapsed() >= Duration::from_millis(300) && mark.upgrade().is_none());
        });
    }
}
