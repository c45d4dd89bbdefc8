-- PostgreSQL checks a foreign key with a query for each row. These three checked what the writing transaction holds already: its
-- caller's rights in the organization, and a lock on the row of the plan or the feature (decision 26).

-- DropForeignKey
ALTER TABLE "override" DROP CONSTRAINT "override_organization_id_feature_key_fkey";

-- DropForeignKey
ALTER TABLE "subscriber" DROP CONSTRAINT "subscriber_organization_id_fkey";

-- DropForeignKey
ALTER TABLE "subscription" DROP CONSTRAINT "subscription_organization_id_plan_key_fkey";

CREATE FUNCTION "keep_plan_of_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "subscription"
                WHERE "organization_id" = OLD."organization_id" AND "plan_key" = OLD."plan_key") THEN
        RAISE foreign_key_violation USING MESSAGE = format('plan "%s" has subscriptions', OLD."plan_key");
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE FUNCTION "keep_feature_of_overrides"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "override"
                WHERE "organization_id" = OLD."organization_id" AND "feature_key" = OLD."feature_key") THEN
        RAISE foreign_key_violation USING MESSAGE = format('feature "%s" has overrides', OLD."feature_key");
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE TRIGGER "plan_of_subscriptions" BEFORE DELETE OR UPDATE OF "organization_id", "plan_key" ON "plan"
    FOR EACH ROW EXECUTE FUNCTION "keep_plan_of_subscriptions"();
CREATE TRIGGER "feature_of_overrides" BEFORE DELETE OR UPDATE OF "organization_id", "feature_key" ON "feature"
    FOR EACH ROW EXECUTE FUNCTION "keep_feature_of_overrides"();
