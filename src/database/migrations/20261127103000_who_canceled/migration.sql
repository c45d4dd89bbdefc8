-- Who ended a subscription, for the history of the subscriber.
-- runs beside: 20261126235000_changes_of_subscribers
ALTER TABLE "subscription" ADD COLUMN "canceled_by" TEXT COLLATE "C";
