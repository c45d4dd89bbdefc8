-- org:move marks the members of an organization while its rows are copied, and once it is served elsewhere. Processes of the
-- version before know nothing of it: organizations are moved when none is left.
-- runs beside: 20261124031203_audit_chain_of_entries_before

ALTER TABLE "member" ADD COLUMN "moving_until" TIMESTAMPTZ(3);
