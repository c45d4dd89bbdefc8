-- No statement changes the key of a row that others refer to, and Citus refuses ON UPDATE CASCADE on the distribution column.
-- The next migration validates the new keys, without a lock that writes wait for.
-- runs beside: 20261124031203_audit_chain_of_entries_before

-- In the order in which evals lock them, so that these end while this waits; a write may use another order, and waits with this.
SET LOCAL lock_timeout = 50;
LOCK TABLE "override", "member", "organization", "subscription", "subscriber", "feature", "eval_counter", "plan", "plan_grant",
    "service_account", "limit_notice", "webhook_endpoint", "webhook_event", "webhook_attempt" IN ACCESS EXCLUSIVE MODE;

ALTER TABLE "member"
    DROP CONSTRAINT "member_organization_id_fkey",
    ADD CONSTRAINT "member_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "service_account"
    DROP CONSTRAINT "service_account_organization_id_fkey",
    ADD CONSTRAINT "service_account_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID,
    DROP CONSTRAINT "service_account_organization_id_member_id_fkey",
    ADD CONSTRAINT "service_account_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "member"("organization_id", "member_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "feature"
    DROP CONSTRAINT "feature_organization_id_fkey",
    ADD CONSTRAINT "feature_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "plan"
    DROP CONSTRAINT "plan_organization_id_fkey",
    ADD CONSTRAINT "plan_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "plan_grant"
    DROP CONSTRAINT "plan_grant_organization_id_plan_key_fkey",
    ADD CONSTRAINT "plan_grant_organization_id_plan_key_fkey" FOREIGN KEY ("organization_id", "plan_key") REFERENCES "plan"("organization_id", "plan_key") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID,
    DROP CONSTRAINT "plan_grant_organization_id_feature_key_fkey",
    ADD CONSTRAINT "plan_grant_organization_id_feature_key_fkey" FOREIGN KEY ("organization_id", "feature_key") REFERENCES "feature"("organization_id", "feature_key") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "subscription"
    DROP CONSTRAINT "subscription_organization_id_subscriber_id_fkey",
    ADD CONSTRAINT "subscription_organization_id_subscriber_id_fkey" FOREIGN KEY ("organization_id", "subscriber_id") REFERENCES "subscriber"("organization_id", "subscriber_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "override"
    DROP CONSTRAINT "override_organization_id_subscriber_id_fkey",
    ADD CONSTRAINT "override_organization_id_subscriber_id_fkey" FOREIGN KEY ("organization_id", "subscriber_id") REFERENCES "subscriber"("organization_id", "subscriber_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "eval_counter"
    DROP CONSTRAINT "eval_counter_organization_id_fkey",
    ADD CONSTRAINT "eval_counter_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "limit_notice"
    DROP CONSTRAINT "limit_notice_organization_id_fkey",
    ADD CONSTRAINT "limit_notice_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "webhook_endpoint"
    DROP CONSTRAINT "webhook_endpoint_organization_id_fkey",
    ADD CONSTRAINT "webhook_endpoint_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("organization_id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;

ALTER TABLE "webhook_attempt"
    DROP CONSTRAINT "webhook_attempt_organization_id_event_id_fkey",
    ADD CONSTRAINT "webhook_attempt_organization_id_event_id_fkey" FOREIGN KEY ("organization_id", "event_id") REFERENCES "webhook_event"("organization_id", "event_id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
