-- Finds the newest event about a plan's grants, whose body names the plan.
-- runs beside: 20261127145355_positions_and_environment
create index concurrently if not exists "webhook_event_of_plan" on "webhook_event" ("organization_id", (body::jsonb ->> 'key') collate "C", "sequence")
 where (type = 'plan.grants.updated');
