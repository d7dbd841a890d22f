-- Each row next to blocks has a digest of its columns, which is renewed with each change. A damaged row keeps the digest
-- that it had, so that a later change does not hide the damage.
CREATE FUNCTION row_digest(given jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || left(encode(sha256(convert_to((given - 'digest')::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
CREATE FUNCTION seal_row() RETURNS trigger
LANGUAGE plpgsql SET search_path = agon, pg_temp SET timezone = 'UTC' AS $$
BEGIN
    IF TG_OP = 'INSERT' OR OLD.digest = row_digest(to_jsonb(OLD)) THEN
        NEW.digest := row_digest(to_jsonb(NEW));
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON ladder FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON entrant FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON suspension FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON excuse FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON void FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON stage FOR EACH ROW EXECUTE FUNCTION seal_row();
CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON look FOR EACH ROW EXECUTE FUNCTION seal_row();
