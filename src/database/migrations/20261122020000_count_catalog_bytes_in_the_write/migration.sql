-- The write that changes a catalog counts its bytes: triggers would not survive a distributed table.
DROP TRIGGER "feature_bytes_added" ON "feature";
DROP TRIGGER "feature_bytes_changed" ON "feature";
DROP TRIGGER "feature_bytes_removed" ON "feature";
DROP TRIGGER "grant_bytes_added" ON "plan_grant";
DROP TRIGGER "grant_bytes_changed" ON "plan_grant";
DROP TRIGGER "grant_bytes_removed" ON "plan_grant";
DROP FUNCTION "count_feature_bytes"();
DROP FUNCTION "count_grant_bytes"();
DROP FUNCTION "bytes_of"("feature");
DROP FUNCTION "bytes_of"("plan_grant");
