-- Counts the live overrides of a feature, and whom they are of, without reading the overrides themselves.

-- CreateIndex
CREATE INDEX "override_of_feature_until" ON "override"("organization_id", "feature_key", "expires_at", "subscriber_id");
