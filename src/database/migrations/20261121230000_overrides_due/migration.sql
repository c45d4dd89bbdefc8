-- What is past its end, whosever it is.
CREATE INDEX "override_due" ON "override"("expires_at", "organization_id") WHERE ((expires_at IS NOT NULL) AND (NOT expiry_marked));
