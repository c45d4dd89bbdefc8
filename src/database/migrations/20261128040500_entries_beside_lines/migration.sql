-- Finds the newest entries of the log that are not lines of an import.
-- runs beside: 20261127145355_positions_and_environment
create index concurrently if not exists "audit_event_no_line" on "audit_event" ("organization_id", "audit_event_id")
 where (request_event_id is null);
