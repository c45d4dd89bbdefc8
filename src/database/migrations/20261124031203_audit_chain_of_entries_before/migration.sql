-- The worker adds the entries from before, of one organization after the other.
-- runs beside: 20261124031103_audit_chain
-- in batches
insert into "audit_chain" ("organization_id", "swept_until")
select "organization_id", '' from "organization"
 where "organization_id" > coalesce((select max("organization_id") from "audit_chain"), '')
 order by "organization_id" limit 1000;
