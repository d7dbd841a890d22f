-- A delivery is a result or a cause, and neither is large, whichever function lets it in: `worker_exchange` carries
-- what it has checked. Rows that no such function would have taken go; their blocks are offered again.
DELETE FROM inbox WHERE (content IS NULL) = (cause IS NULL)
    OR octet_length(content) > 1048576 OR octet_length(cause) > 2000;
ALTER TABLE inbox ADD CONSTRAINT inbox_sizes CHECK ((content IS NULL) <> (cause IS NULL)
    AND coalesce(octet_length(content) <= 1048576, octet_length(cause) <= 2000));
