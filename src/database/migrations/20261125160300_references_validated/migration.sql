-- The foreign keys that the migration before replaced: their rows were checked by the ones they replace.
-- runs beside: 20261124031203_audit_chain_of_entries_before

ALTER TABLE "member" VALIDATE CONSTRAINT "member_organization_id_fkey";
ALTER TABLE "service_account" VALIDATE CONSTRAINT "service_account_organization_id_fkey";
ALTER TABLE "service_account" VALIDATE CONSTRAINT "service_account_organization_id_member_id_fkey";
ALTER TABLE "feature" VALIDATE CONSTRAINT "feature_organization_id_fkey";
ALTER TABLE "plan" VALIDATE CONSTRAINT "plan_organization_id_fkey";
ALTER TABLE "plan_grant" VALIDATE CONSTRAINT "plan_grant_organization_id_plan_key_fkey";
ALTER TABLE "plan_grant" VALIDATE CONSTRAINT "plan_grant_organization_id_feature_key_fkey";
ALTER TABLE "subscription" VALIDATE CONSTRAINT "subscription_organization_id_subscriber_id_fkey";
ALTER TABLE "override" VALIDATE CONSTRAINT "override_organization_id_subscriber_id_fkey";
ALTER TABLE "eval_counter" VALIDATE CONSTRAINT "eval_counter_organization_id_fkey";
ALTER TABLE "limit_notice" VALIDATE CONSTRAINT "limit_notice_organization_id_fkey";
ALTER TABLE "webhook_endpoint" VALIDATE CONSTRAINT "webhook_endpoint_organization_id_fkey";
ALTER TABLE "webhook_attempt" VALIDATE CONSTRAINT "webhook_attempt_organization_id_event_id_fkey";
