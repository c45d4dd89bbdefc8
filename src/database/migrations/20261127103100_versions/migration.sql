-- What overrides and grants were, with the period of each state (decision 46). Triggers write it, so that processes of the version
-- before, which know nothing of it, leave no gap.
-- runs beside: 20261126235000_changes_of_subscribers

-- CreateTable
CREATE TABLE "override_version" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "subscriber_id" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "valid_to" TIMESTAMPTZ(3) NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "override_id" TEXT COLLATE "C" NOT NULL,
    "kind" "feature_kind" NOT NULL,
    "allowed" BOOLEAN,
    "limit" BIGINT,
    "value" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "note" TEXT,
    "set_by" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_by" TEXT COLLATE "C",

    CONSTRAINT "override_version_pkey" PRIMARY KEY ("organization_id","subscriber_id","feature_key","valid_to","override_id")
);
-- As for overrides: see 20261122123000_rows_of_an_organization.
ALTER TABLE "override_version" ALTER COLUMN "organization_id" SET (n_distinct = 100);

-- CreateTable
CREATE TABLE "plan_grant_version" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "plan_key" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3) NOT NULL DEFAULT 'infinity'::timestamp with time zone,
    "kind" "feature_kind" NOT NULL,
    "limit" BIGINT,
    "value" TEXT,
    "set_by" TEXT COLLATE "C",
    "note" TEXT,
    "ended_by" TEXT COLLATE "C",
    "end_note" TEXT,

    CONSTRAINT "plan_grant_version_pkey" PRIMARY KEY ("organization_id","plan_key","feature_key","valid_from")
);

-- CreateTable
CREATE TABLE "former_feature" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "feature_key" TEXT COLLATE "C" NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" "feature_kind" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "former_feature_pkey" PRIMARY KEY ("organization_id","feature_key","deleted_at")
);

-- CreateTable
CREATE TABLE "past_start" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "past_start_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "override_version_ended" ON "override_version"("organization_id", "subscriber_id", "valid_to" DESC, "feature_key");

-- CreateIndex
CREATE INDEX "override_version_created" ON "override_version"("organization_id", "subscriber_id", "valid_from" DESC, "feature_key") WHERE (valid_from = created_at);

-- CreateIndex
CREATE INDEX "override_version_expired" ON "override_version"("organization_id", "subscriber_id", "expires_at" DESC, "feature_key") WHERE ((expires_at > valid_from) AND (expires_at < valid_to));

-- CreateIndex
CREATE INDEX "override_version_age" ON "override_version" USING BRIN ("valid_to");

-- CreateIndex
CREATE INDEX "plan_grant_version_of_feature" ON "plan_grant_version"("organization_id", "plan_key", "feature_key", "valid_to");

-- CreateIndex
CREATE INDEX "plan_grant_version_begun" ON "plan_grant_version"("organization_id", "plan_key", "valid_from" DESC, "feature_key");

-- CreateIndex
CREATE INDEX "plan_grant_version_ended" ON "plan_grant_version"("organization_id", "plan_key", "valid_to" DESC, "feature_key");

SET LOCAL lock_timeout = 50;
-- In the order in which other statements lock them. Reads, such as evals, go on.
LOCK TABLE "override", "subscriber", "feature", "plan", "plan_grant" IN SHARE ROW EXCLUSIVE MODE;

-- A transaction that copies or removes whole tables sets entitlements.without_versions; one that changes grants or deletes
-- overrides says in entitlements.change who does it (by), when (at) and why (note).
CREATE FUNCTION "change_in_progress"() RETURNS json LANGUAGE sql STABLE
RETURN nullif(current_setting('entitlements.change', true), '')::json;

-- The version that a change ends; what it leads to is the row itself. Without nested loops, whose cost would be that of all pairs.
CREATE FUNCTION "keep_override_versions"() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    INSERT INTO "override_version" ("organization_id", "subscriber_id", "feature_key", "valid_to", "valid_from", "override_id", "kind",
                                    "allowed", "limit", "value", "expires_at", "note", "set_by", "created_at", "ended_by")
    SELECT o."organization_id", o."subscriber_id", o."feature_key", n."updated_at", o."updated_at", o."override_id", o."kind",
           o."allowed", o."limit", o."value", o."expires_at", o."note", o."set_by", o."created_at", n."set_by"
      FROM old_rows o JOIN new_rows n USING ("organization_id", "subscriber_id", "feature_key")
     WHERE n."updated_at" > o."updated_at";
    RETURN NULL;
END $$;

CREATE FUNCTION "keep_deleted_overrides"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change json := change_in_progress();
    moment timestamptz := date_trunc('milliseconds', coalesce((change ->> 'at')::timestamptz, clock_timestamp()));
BEGIN
    INSERT INTO "override_version" ("organization_id", "subscriber_id", "feature_key", "valid_to", "valid_from", "override_id", "kind",
                                    "allowed", "limit", "value", "expires_at", "note", "set_by", "created_at", "ended_by")
    SELECT "organization_id", "subscriber_id", "feature_key", moment, "updated_at", "override_id", "kind",
           "allowed", "limit", "value", "expires_at", "note", "set_by", "created_at", change ->> 'by'
      FROM old_rows
     WHERE moment > "updated_at";
    RETURN NULL;
END $$;

-- Through the index, whatever the statistics said when the function was first called.
CREATE FUNCTION "keep_grant_versions"() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    change json := change_in_progress();
    moment timestamptz := date_trunc('milliseconds', coalesce((change ->> 'at')::timestamptz, clock_timestamp()));
BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE "plan_grant_version" v
           SET "valid_to" = greatest(moment, v."valid_from"), "ended_by" = change ->> 'by', "end_note" = change ->> 'note'
          FROM old_rows o
         WHERE v."organization_id" = o."organization_id" AND v."plan_key" = o."plan_key" AND v."feature_key" = o."feature_key"
           AND v."valid_to" = 'infinity';
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "plan_grant_version" ("organization_id", "plan_key", "feature_key", "valid_from", "kind", "limit", "value", "set_by", "note")
        SELECT "organization_id", "plan_key", "feature_key", moment, "kind", "limit", "value", change ->> 'by', change ->> 'note'
          FROM new_rows
            ON CONFLICT ("organization_id", "plan_key", "feature_key", "valid_from") DO UPDATE
           SET "valid_to" = DEFAULT, "kind" = excluded."kind", "limit" = excluded."limit", "value" = excluded."value";
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION "keep_deleted_features"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "former_feature" ("organization_id", "feature_key", "deleted_at", "kind", "created_at")
    SELECT "organization_id", "feature_key", date_trunc('milliseconds', clock_timestamp()), "kind", "created_at"
      FROM old_rows
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

-- The past of a subscriber or plan ends with it: another one of its name has another past.
CREATE FUNCTION "forget_subscribers"() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    DELETE FROM "override_version" v USING old_rows o
     WHERE v."organization_id" = o."organization_id" AND v."subscriber_id" = o."subscriber_id";
    RETURN NULL;
END $$;

CREATE FUNCTION "forget_plans"() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    DELETE FROM "plan_grant_version" v USING old_rows o
     WHERE v."organization_id" = o."organization_id" AND v."plan_key" = o."plan_key";
    RETURN NULL;
END $$;

CREATE TRIGGER "override_replaced" AFTER UPDATE ON "override"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "keep_override_versions"();
CREATE TRIGGER "override_deleted" AFTER DELETE ON "override" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "keep_deleted_overrides"();
CREATE TRIGGER "grant_inserted" AFTER INSERT ON "plan_grant" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "keep_grant_versions"();
CREATE TRIGGER "grant_updated" AFTER UPDATE ON "plan_grant"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "keep_grant_versions"();
CREATE TRIGGER "grant_deleted" AFTER DELETE ON "plan_grant" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "keep_grant_versions"();
CREATE TRIGGER "feature_deleted" AFTER DELETE ON "feature" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "keep_deleted_features"();
CREATE TRIGGER "subscriber_deleted" AFTER DELETE ON "subscriber" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "forget_subscribers"();
CREATE TRIGGER "plan_deleted" AFTER DELETE ON "plan" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
    WHEN (current_setting('entitlements.without_versions', true) IS DISTINCT FROM 'true') EXECUTE FUNCTION "forget_plans"();

-- An override is its own version since its last change. A grant is what it is at least since the last change of its plan.
INSERT INTO "plan_grant_version" ("organization_id", "plan_key", "feature_key", "valid_from", "kind", "limit", "value")
SELECT g."organization_id", g."plan_key", g."feature_key", p."updated_at", g."kind", g."limit", g."value"
  FROM "plan_grant" g JOIN "plan" p USING ("organization_id", "plan_key");

INSERT INTO "past_start" ("organization_id", "since")
SELECT "organization_id", date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' FROM "organization";
