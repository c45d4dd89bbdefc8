-- What the console searches and shows to people: names by any part, who did what, and why.

-- Both come with PostgreSQL; whoever may create in the database may create them.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE EXTENSION IF NOT EXISTS "btree_gin";

-- DropIndex
DROP INDEX "override_organization_id_feature_key_idx";

-- AlterTable
ALTER TABLE "override" ADD COLUMN     "note" TEXT,
ADD COLUMN     "set_by" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "created_by" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "webhook_attempt" ADD COLUMN     "headers" TEXT;

-- AlterTable
ALTER TABLE "webhook_event" ADD COLUMN     "subscriber_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "member_last_seen" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_last_seen_pkey" PRIMARY KEY ("organization_id","member_id")
);

-- CreateTable
CREATE TABLE "former_member" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "member_id" TEXT COLLATE "C" NOT NULL,
    "display_name" TEXT NOT NULL,
    "is_service_account" BOOLEAN NOT NULL,

    CONSTRAINT "former_member_pkey" PRIMARY KEY ("organization_id","member_id")
);

-- CreateIndex
CREATE INDEX "override_organization_id_feature_key_subscriber_id_idx" ON "override"("organization_id", "feature_key", "subscriber_id");

-- CreateIndex
CREATE UNIQUE INDEX "override_id" ON "override"("organization_id", "override_id");

-- CreateIndex
CREATE INDEX "subscription_active_of_plan" ON "subscription"("organization_id", "plan_key", "subscriber_id") WHERE (status = 'active'::subscription_status);

-- CreateIndex
CREATE INDEX "webhook_event_of_type" ON "webhook_event"("organization_id", "type", "event_id");

-- CreateIndex
CREATE INDEX "webhook_event_of_subscriber" ON "webhook_event"("organization_id", "subscriber_id", "event_id") WHERE (subscriber_id IS NOT NULL);

-- The search of subscribers, without case: the start of the id, the start of the name, and from three characters on any
-- part of the name. The schema language has no words for these.
CREATE INDEX "subscriber_id_start" ON "subscriber" ("organization_id", (lower("subscriber_id" COLLATE "default") COLLATE "C"));
CREATE INDEX "subscriber_name_start" ON "subscriber" ("organization_id", (lower("name") COLLATE "C")) WHERE "name" IS NOT NULL;
CREATE INDEX "subscriber_name_part" ON "subscriber" USING gin ("organization_id", lower("name") gin_trgm_ops) WHERE "name" IS NOT NULL;

-- In the order of expiry; those without one come last.
CREATE INDEX "override_by_expiry" ON "override"
    ("organization_id", (coalesce("expires_at", 'infinity'::timestamptz)), "override_id");

-- What is known of before.
UPDATE "override" o SET "set_by" = (
    SELECT a."member_id" FROM "audit_event" a
     WHERE a."organization_id" = o."organization_id"
       AND left(a."params" ->> 'subscriber_id', 255) = o."subscriber_id" AND left(a."params" ->> 'feature_key', 255) = o."feature_key"
       AND a."params" ->> 'subscriber_id' IS NOT NULL AND a."params" ->> 'feature_key' IS NOT NULL
       AND a."method" = 'PUT' AND a."outcome" = 'responded' AND a."status" < 300 AND a."details" IS NOT NULL
     ORDER BY a."audit_event_id" DESC LIMIT 1);
UPDATE "subscription" s SET "created_by" = (
    SELECT a."member_id" FROM "audit_event" a
     WHERE a."organization_id" = s."organization_id" AND a."created_id" = s."subscription_id" LIMIT 1);
INSERT INTO "member_last_seen" ("organization_id", "member_id", "seen_at")
    SELECT "organization_id", "member_id", max("last_used_at") FROM (
        SELECT "organization_id", "member_id", "last_used_at" FROM "api_key" WHERE "last_used_at" IS NOT NULL
        UNION ALL SELECT "organization_id", "member_id", "last_used_at" FROM "console_session") used
     GROUP BY "organization_id", "member_id";
UPDATE "webhook_event" SET "subscriber_id" = "body"::jsonb ->> 'subscriber_id' WHERE "type" = 'entitlements.stale';
