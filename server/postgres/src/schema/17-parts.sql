-- Workers speak protocol 4: `worker_file_part` sends a file in parts, and waiting workers hear that a ladder is over.
DROP FUNCTION IF EXISTS worker_file(uuid, text);
