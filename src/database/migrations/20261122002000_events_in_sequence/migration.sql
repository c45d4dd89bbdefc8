-- First attempts leave in the order in which the database took their events; clocks have no part in it.
ALTER TABLE "webhook_event" ADD COLUMN     "sequence" BIGSERIAL NOT NULL;

-- What is queued keeps the order that it had.
UPDATE "webhook_event" event SET "sequence" = numbered."sequence"
  FROM (SELECT "organization_id", "event_id", nextval('webhook_event_sequence_seq') AS "sequence"
          FROM (SELECT "organization_id", "event_id" FROM "webhook_event"
                 WHERE "state" = 'queued' ORDER BY "due_at", "event_id") sorted) numbered
 WHERE event."organization_id" = numbered."organization_id" AND event."event_id" = numbered."event_id";

-- DropIndex
DROP INDEX "webhook_event_due";

-- CreateIndex
CREATE INDEX "webhook_event_queued" ON "webhook_event"("organization_id", "attempts", "sequence") WHERE (state = 'queued');

-- CreateIndex
CREATE INDEX "webhook_event_due" ON "webhook_event"("organization_id", "due_at", "event_id") WHERE ((state = 'queued') AND (attempts > 0));

-- AlterTable
ALTER TABLE "webhook_lane" DROP COLUMN "woken",
ADD COLUMN     "woken" UUID NOT NULL DEFAULT gen_random_uuid();
