-- Finds the tests of a webhook that are not sent yet: they are sent beside the queue.
-- runs beside: 20261123083700_kept_answers
create index concurrently if not exists "webhook_event_test" on "webhook_event" ("organization_id", "event_id")
 where ("state" = 'queued') and ("type" = 'webhook.test');
