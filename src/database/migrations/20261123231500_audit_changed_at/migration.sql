-- When a change happened, in the order of the locks of writes: histories are ordered by it. Entries from before, and those of
-- processes of the version before, have none.
-- runs beside: 20261123083700_kept_answers

-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN "changed_at" TIMESTAMPTZ(6);
