-- When overrides start. Until then they are stored as expired ones, so that processes of the version before ignore them.
-- runs beside: 20261127145355_positions_and_environment

-- AlterTable
ALTER TABLE "override" ADD COLUMN     "ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "starts_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "override_version" ADD COLUMN     "starts_at" TIMESTAMPTZ(3);

CREATE OR REPLACE FUNCTION "keep_override_versions"() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    INSERT INTO "override_version" ("organization_id", "subscriber_id", "feature_key", "valid_to", "valid_from", "override_id", "kind",
                                    "allowed", "limit", "value", "expires_at", "note", "set_by", "created_at", "starts_at", "ended_by")
    SELECT o."organization_id", o."subscriber_id", o."feature_key", n."updated_at", o."updated_at", o."override_id", o."kind",
           o."allowed", o."limit", o."value", o."expires_at", o."note", o."set_by", o."created_at", o."starts_at", n."set_by"
      FROM old_rows o JOIN new_rows n USING ("organization_id", "subscriber_id", "feature_key")
     WHERE n."updated_at" > o."updated_at";
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "keep_deleted_overrides"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change json := change_in_progress();
    moment timestamptz := date_trunc('milliseconds', coalesce((change ->> 'at')::timestamptz, clock_timestamp()));
BEGIN
    INSERT INTO "override_version" ("organization_id", "subscriber_id", "feature_key", "valid_to", "valid_from", "override_id", "kind",
                                    "allowed", "limit", "value", "expires_at", "note", "set_by", "created_at", "starts_at", "ended_by")
    SELECT "organization_id", "subscriber_id", "feature_key", moment, "updated_at", "override_id", "kind",
           "allowed", "limit", "value", "expires_at", "note", "set_by", "created_at", "starts_at", change ->> 'by'
      FROM old_rows
     WHERE moment > "updated_at";
    RETURN NULL;
END $$;

-- A process of the version before that puts the override leaves these columns as they were: what it put has no start.
CREATE FUNCTION "forget_start"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."starts_at" := NULL;
    NEW."ends_at" := NULL;
    RETURN NEW;
END $$;

CREATE TRIGGER "override_put_without_start" BEFORE UPDATE ON "override" FOR EACH ROW
    WHEN (OLD."starts_at" = NEW."starts_at" AND OLD."expires_at" IS DISTINCT FROM NEW."expires_at") EXECUTE FUNCTION "forget_start"();
