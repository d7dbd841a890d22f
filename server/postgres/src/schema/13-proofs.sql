-- `proof_by` tells what it told.
DROP FUNCTION IF EXISTS proof(bigint, text, bigint, bigint);
