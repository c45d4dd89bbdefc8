-- DropIndex
DROP INDEX "audit_event_outcome";

-- The rare outcomes, each with what else may be asked of them: an entry that does not fit is passed over in the index,
-- without a look at its row.
CREATE INDEX "audit_event_outcome" ON "audit_event"
    ("organization_id", "outcome", "audit_event_id", "member_id", "method", "route", (left("params" ->> 'key', 255)),
     (left("params" ->> 'subscriber_id', 255)), (left("params" ->> 'feature_key', 255)))
    WHERE (outcome <> 'responded');
