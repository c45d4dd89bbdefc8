-- The search finds subscribers by the end of their id, which is often all that people remember or read out.
-- runs beside: 20261123190500_events_queued_at
create index concurrently if not exists "subscriber_id_end" on "subscriber" ("organization_id", (reverse(lower("subscriber_id" collate "default")) collate "C"));
