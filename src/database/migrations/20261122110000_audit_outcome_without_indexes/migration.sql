-- Recording an outcome touches no index of the log any more. An index, or the condition of one, that mentions a column which an
-- UPDATE changes makes PostgreSQL write a new entry into every index of the table; the outcome, and what was created, stood in
-- two, so each write of the service wrote all of its index entries twice. Now they stand beside the log:
--
--   pending                 a row in audit_event_pending while the entry has no outcome
--   rejected, no_response   rare_outcome, which stays null for every other entry
--   created_id              a row in audit_event_creation
--
-- Triggers keep them, so they are right whoever writes, also an older version that still runs.
--
-- On a big log: writes of every organization wait until this has ended, reads do not. It copies an id and a key for each entry
-- with a created_id, in the order of the index that has them: half a minute for five million entries on two slow cores.
LOCK TABLE "audit_event" IN SHARE ROW EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "audit_event_pending" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "audit_event_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "audit_event_pending_pkey" PRIMARY KEY ("organization_id","audit_event_id")
);

-- CreateTable
CREATE TABLE "audit_event_creation" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "created_id" TEXT COLLATE "C" NOT NULL,
    "audit_event_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "audit_event_creation_pkey" PRIMARY KEY ("organization_id","created_id","audit_event_id")
);

-- A row comes and goes with each write: its room is to be used again soon.
ALTER TABLE "audit_event_pending" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

INSERT INTO "audit_event_pending" SELECT "organization_id", "audit_event_id" FROM "audit_event" WHERE "outcome" = 'pending';
INSERT INTO "audit_event_creation" SELECT "organization_id", "created_id", "audit_event_id" FROM "audit_event"
 WHERE "created_id" IS NOT NULL ORDER BY "organization_id", "created_id", "audit_event_id";
ANALYZE "audit_event_pending", "audit_event_creation";

-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN "rare_outcome" "audit_outcome";
ALTER TABLE "audit_event" DISABLE TRIGGER "audit_event_guard_update";
UPDATE "audit_event" SET "rare_outcome" = "outcome" WHERE "outcome" <> 'responded' AND "outcome" IN ('rejected', 'no_response');
ALTER TABLE "audit_event" ENABLE ALWAYS TRIGGER "audit_event_guard_update";
-- Not validated, because that reads the whole log; every later entry is checked.
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_rare_outcome_check" CHECK (
    "rare_outcome" IS NOT DISTINCT FROM CASE WHEN "outcome" IN ('rejected', 'no_response') THEN "outcome" END) NOT VALID;

CREATE FUNCTION "tell_rare_outcome"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."rare_outcome" := NEW."outcome";
    RETURN NEW;
END $$;
CREATE TRIGGER "audit_event_rare_outcome" BEFORE INSERT OR UPDATE ON "audit_event"
    FOR EACH ROW WHEN (NEW."outcome" IN ('rejected', 'no_response')) EXECUTE FUNCTION "tell_rare_outcome"();

CREATE FUNCTION "keep_pending"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "audit_event_pending" VALUES (NEW."organization_id", NEW."audit_event_id");
    ELSE
        DELETE FROM "audit_event_pending"
         WHERE "organization_id" = NEW."organization_id" AND "audit_event_id" = NEW."audit_event_id";
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "audit_event_pending_insert" AFTER INSERT ON "audit_event"
    FOR EACH ROW WHEN (NEW."outcome" = 'pending') EXECUTE FUNCTION "keep_pending"();
CREATE TRIGGER "audit_event_pending_update" AFTER UPDATE ON "audit_event"
    FOR EACH ROW WHEN (OLD."outcome" = 'pending') EXECUTE FUNCTION "keep_pending"();

CREATE FUNCTION "keep_creation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "audit_event_creation" VALUES (NEW."organization_id", NEW."created_id", NEW."audit_event_id");
    RETURN NULL;
END $$;
CREATE TRIGGER "audit_event_creation" AFTER INSERT OR UPDATE ON "audit_event"
    FOR EACH ROW WHEN (NEW."created_id" IS NOT NULL) EXECUTE FUNCTION "keep_creation"();

-- The rare outcomes, each with what else may be asked of them: an entry that does not fit is passed over in the index,
-- without a look at its row.
DROP INDEX "audit_event_outcome";
CREATE INDEX "audit_event_rare_outcome" ON "audit_event"
    ("organization_id", "rare_outcome", "audit_event_id", "member_id", "method", "route", (left("params" ->> 'key', 255)),
     (left("params" ->> 'subscriber_id', 255)), (left("params" ->> 'feature_key', 255)))
    WHERE ("rare_outcome" IS NOT NULL);

-- DropIndex
DROP INDEX "audit_event_created";

-- Room in each page for the outcomes of its entries: an outcome that finds none goes to another page, and into every index.
ALTER TABLE "audit_event" SET (fillfactor = 85);
