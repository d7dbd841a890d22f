//! Whoever comes to a new database, alone or with others at the same moment, finds the schema made.

use crate::cluster::Cluster;
use agon_postgres::PostgresRecord;
use std::sync::Barrier;

#[test]
fn all_who_come_to_a_new_database_at_once_can_use_it() {
    const MANY: usize = 12;
    let Some(cluster) = Cluster::shared() else { return };
    for _ in 0..25 {
        let (url, begin) = (cluster.database(), Barrier::new(MANY));
        std::thread::scope(|scope| {
            for _ in 0..MANY {
                scope.spawn(|| {
                    begin.wait();
                    PostgresRecord::open(&url).map(drop).unwrap();
                });
            }
        });
    }
}
