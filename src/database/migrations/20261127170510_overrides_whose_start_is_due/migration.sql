-- Finds the overrides whose start is due, of all organizations.
-- runs beside: 20261127145355_positions_and_environment
create index concurrently if not exists "override_start_due" on "override" ("starts_at", "organization_id")
 where (starts_at is not null);
