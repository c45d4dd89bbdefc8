-- Finds the overrides of an organization that have not started.
-- runs beside: 20261127145355_positions_and_environment
create index concurrently if not exists "override_scheduled" on "override" ("organization_id", "starts_at")
 where (starts_at is not null);
