-- AlterTable
ALTER TABLE "organization" ADD COLUMN "catalog_bytes" BIGINT NOT NULL DEFAULT 0;

-- What a row of the catalog counts for: its texts, and about what it takes beside them.
CREATE FUNCTION "bytes_of"("feature") RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT 32 + octet_length($1.feature_key) + octet_length($1.name) + octet_length($1.description)
    + coalesce(octet_length(array_to_string($1.options, '')), 0)
$$;

CREATE FUNCTION "bytes_of"("plan_grant") RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT 32 + octet_length($1.plan_key) + octet_length($1.feature_key) + coalesce(octet_length($1.value), 0)
$$;

UPDATE "organization" o SET "catalog_bytes" =
  coalesce((SELECT sum(bytes_of(f)) FROM "feature" f WHERE f.organization_id = o.organization_id), 0)
  + coalesce((SELECT sum(bytes_of(g)) FROM "plan_grant" g WHERE g.organization_id = o.organization_id), 0);

-- Counted by the database, whoever writes, so that the sum cannot drift. One for each table: the rows of a statement
-- have the type of the table.
CREATE FUNCTION "count_feature_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE organization o SET catalog_bytes = o.catalog_bytes - r.bytes
      FROM (SELECT f.organization_id, sum(bytes_of(f::feature)) AS bytes FROM removed f GROUP BY f.organization_id) r
      WHERE o.organization_id = r.organization_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE organization o SET catalog_bytes = o.catalog_bytes + a.bytes
      FROM (SELECT f.organization_id, sum(bytes_of(f::feature)) AS bytes FROM added f GROUP BY f.organization_id) a
      WHERE o.organization_id = a.organization_id;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "count_grant_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE organization o SET catalog_bytes = o.catalog_bytes - r.bytes
      FROM (SELECT g.organization_id, sum(bytes_of(g::plan_grant)) AS bytes FROM removed g GROUP BY g.organization_id) r
      WHERE o.organization_id = r.organization_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE organization o SET catalog_bytes = o.catalog_bytes + a.bytes
      FROM (SELECT g.organization_id, sum(bytes_of(g::plan_grant)) AS bytes FROM added g GROUP BY g.organization_id) a
      WHERE o.organization_id = a.organization_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "feature_bytes_added" AFTER INSERT ON "feature"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_feature_bytes"();
CREATE TRIGGER "feature_bytes_changed" AFTER UPDATE ON "feature"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_feature_bytes"();
CREATE TRIGGER "feature_bytes_removed" AFTER DELETE ON "feature"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_feature_bytes"();

CREATE TRIGGER "grant_bytes_added" AFTER INSERT ON "plan_grant"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_grant_bytes"();
CREATE TRIGGER "grant_bytes_changed" AFTER UPDATE ON "plan_grant"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_grant_bytes"();
CREATE TRIGGER "grant_bytes_removed" AFTER DELETE ON "plan_grant"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_grant_bytes"();
