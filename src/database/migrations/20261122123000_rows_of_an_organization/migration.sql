-- Where many organizations have a row each, PostgreSQL expects one row of every other organization too. Then any index that begins
-- with organization_id seems as good as the primary key, and a little cheaper, as it compares one column: a check of a foreign key
-- read all subscribers of an organization that had just been imported, for every override, until the tables were analyzed again.
-- Now it expects a hundredth of the table of each organization that its statistics do not know: too much rather than too little,
-- which makes an index with the whole key the better one. It knows the hundred largest organizations, or all if there are fewer.
ALTER TABLE "subscriber" ALTER COLUMN "organization_id" SET (n_distinct = 100);
ALTER TABLE "subscription" ALTER COLUMN "organization_id" SET (n_distinct = 100);
ALTER TABLE "override" ALTER COLUMN "organization_id" SET (n_distinct = 100);
ANALYZE "subscriber", "subscription", "override";
