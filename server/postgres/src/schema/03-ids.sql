-- Ids of blocks are compared byte by byte: then their index finds those that begin alike.
ALTER TABLE block ALTER id TYPE text COLLATE "C";
