-- The statements that record an entry and its outcome now keep audit_event_pending, audit_event_creation and rare_outcome
-- themselves. For every statement PostgreSQL parsed the condition of each trigger of the log again, which took longer than the
-- insert or the update, and called a function for each row.
--
-- Stop processes of an older version before this: what they would record meanwhile is missing beside the log.
DROP TRIGGER "audit_event_pending_insert" ON "audit_event";
DROP TRIGGER "audit_event_pending_update" ON "audit_event";
DROP TRIGGER "audit_event_creation" ON "audit_event";
DROP TRIGGER "audit_event_rare_outcome" ON "audit_event";
DROP FUNCTION "keep_pending"();
DROP FUNCTION "keep_creation"();
DROP FUNCTION "tell_rare_outcome"();

-- The guard has a list of columns instead of a condition that compares them: an UPDATE that names none of them costs nothing.
-- An outcome is given once. A test says that every column is named here, except those of the outcome.
DROP TRIGGER "audit_event_guard_update" ON "audit_event";
CREATE TRIGGER "audit_event_guard_update" BEFORE UPDATE OF
    "organization_id", "audit_event_id", "occurred_at", "request_id", "member_id", "auth_type", "key_prefix", "service", "method",
    "route", "params", "ip", "user_agent"
    ON "audit_event" FOR EACH ROW EXECUTE FUNCTION "guard_audit_log"();
CREATE TRIGGER "audit_event_guard_outcome" BEFORE UPDATE ON "audit_event"
    FOR EACH ROW WHEN (OLD."outcome" <> 'pending' OR NEW."outcome" = 'pending') EXECUTE FUNCTION "guard_audit_log"();
ALTER TABLE "audit_event" ENABLE ALWAYS TRIGGER "audit_event_guard_update";
ALTER TABLE "audit_event" ENABLE ALWAYS TRIGGER "audit_event_guard_outcome";
