-- CreateEnum
CREATE TYPE "webhook_event_state" AS ENUM ('queued', 'delivered', 'failed');

-- AlterTable
ALTER TABLE "override" ADD COLUMN     "expiry_marked" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "secret_prefix" TEXT NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "exhausted_in_a_row" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "webhook_event" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "webhook_event_state" NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "once" BOOLEAN NOT NULL DEFAULT false,
    "due_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_event_pkey" PRIMARY KEY ("organization_id","event_id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("organization_id","event_id","number")
);

-- CreateTable
CREATE TABLE "webhook_lane" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "owner" TEXT COLLATE "C",
    "lease_until" TIMESTAMPTZ(3),
    "woken" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_lane_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "webhook_event_due" ON "webhook_event"("organization_id", "due_at", "event_id") WHERE (state = 'queued');

-- CreateIndex
CREATE INDEX "webhook_event_failed" ON "webhook_event"("organization_id", "event_id") WHERE (state = 'failed');

-- CreateIndex
CREATE INDEX "override_expiring" ON "override"("organization_id", "expires_at") WHERE ((expires_at IS NOT NULL) AND (NOT expiry_marked));

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_organization_id_event_id_fkey" FOREIGN KEY ("organization_id", "event_id") REFERENCES "webhook_event"("organization_id", "event_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is queued has a moment at which it is due; what is finished has one at which it ended.
ALTER TABLE "webhook_event" ADD CONSTRAINT "webhook_event_due_or_finished" CHECK (
    CASE "state"
        WHEN 'queued' THEN "due_at" IS NOT NULL AND "finished_at" IS NULL
        ELSE "due_at" IS NULL AND "finished_at" IS NOT NULL
    END);
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_disabled" CHECK ("disabled" = ("disabled_at" IS NOT NULL));
