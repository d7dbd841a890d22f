-- Rows beside blocks get a digest of all that is in them, written anew with each change; a row that was damaged before
-- keeps the one it had. Rows of before have none until agon doctor --record gives them that of what is there then. A
-- later column of these tables changes digests: who adds one seals the rows that are sound in the same step.
CREATE FUNCTION row_digest(given jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || left(encode(sha256(convert_to((given - 'digest')::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
CREATE FUNCTION seal_row() RETURNS trigger
LANGUAGE plpgsql SET search_path = agon, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    IF TG_OP = 'INSERT' OR OLD.digest IS NULL OR OLD.digest = row_digest(to_jsonb(OLD)) THEN
        NEW.digest := row_digest(to_jsonb(NEW));
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION row_digest(jsonb), seal_row() FROM PUBLIC;
ALTER TABLE ladder ADD digest bigint;
ALTER TABLE entrant ADD digest bigint;
ALTER TABLE aside ADD digest bigint;
ALTER TABLE excuse ADD digest bigint;
ALTER TABLE void ADD digest bigint;
ALTER TABLE stage ADD digest bigint;
ALTER TABLE look ADD digest bigint;
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON ladder FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON entrant FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON aside FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON excuse FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON void FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON stage FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON look FOR EACH ROW EXECUTE FUNCTION seal_row();
