-- The search finds the account of a key by what lists show of it.

-- CreateIndex
CREATE INDEX "api_key_prefix" ON "api_key"("organization_id", "key_prefix");
