-- How fast a worker's machine is against the reference, and what its processor calls itself: said once, after hello.
-- played_by tells which worker played a block, so that both stand with each of its blocks.

ALTER TABLE worker ADD speed double precision, ADD spread double precision, ADD class text NOT NULL DEFAULT '';
