-- The entry of an import's line names the entry of its request instead of an address and a user agent of its own: these stand
-- there alone. Reads no row, and changes none.
--
-- A process of the version before answers a page of the log with such an entry wrongly.
-- AlterTable
ALTER TABLE "audit_event" ALTER COLUMN "ip" DROP NOT NULL,
    ADD COLUMN "request_event_id" TEXT COLLATE "C";

-- With the new column: no entry is changed.
DROP TRIGGER "audit_event_guard_update" ON "audit_event";
CREATE TRIGGER "audit_event_guard_update" BEFORE UPDATE OF
    "organization_id", "audit_event_id", "occurred_at", "request_id", "member_id", "auth_type", "key_prefix", "service", "method",
    "route", "params", "ip", "user_agent", "request_event_id"
    ON "audit_event" FOR EACH ROW EXECUTE FUNCTION "guard_audit_log"();
ALTER TABLE "audit_event" ENABLE ALWAYS TRIGGER "audit_event_guard_update";
