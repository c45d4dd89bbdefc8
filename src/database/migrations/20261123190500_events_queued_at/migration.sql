-- When an event was queued, to measure how long its receiver waits. Events from before have none, and the default is set
-- afterwards, so that the table is not written again.
-- runs beside: 20261123083700_kept_answers

-- AlterTable
ALTER TABLE "webhook_event" ADD COLUMN "queued_at" TIMESTAMPTZ(3);
ALTER TABLE "webhook_event" ALTER COLUMN "queued_at" SET DEFAULT clock_timestamp();
