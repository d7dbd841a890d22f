-- Workers speak protocol 2: `worker_exchange` does what these two did.
DROP FUNCTION IF EXISTS worker_claim(uuid, integer, integer);
DROP FUNCTION IF EXISTS worker_deliver(uuid, bigint[], text[], bigint[], text[], text[], text[]);
