-- One list instead of two: of the entries that are not chained with an outcome. An outcome leaves its entry there, and the worker
-- removes it when it is chained. No older version may run beside it: it removes entries from the list, and they would never be
-- chained.
LOCK TABLE "audit_event_pending", "audit_event_unchained" IN ACCESS EXCLUSIVE MODE;
INSERT INTO "audit_event_pending" SELECT "organization_id", "audit_event_id" FROM "audit_event_unchained" ON CONFLICT DO NOTHING;
DROP TABLE "audit_event_unchained";
ALTER TABLE "audit_event_pending" RENAME TO "audit_event_unchained";
ALTER TABLE "audit_event_unchained" RENAME CONSTRAINT "audit_event_pending_pkey" TO "audit_event_unchained_pkey";
