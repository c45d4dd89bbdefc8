-- A subscriber's token reads its own changes, however many others there are.
-- runs beside: 20261125165000_one_list_of_unchained_entries
create index concurrently if not exists "change_subscriber" on "change" ("organization_id", ((body::json ->> 'subscriber_id') collate "C"), "transaction_id", "change_id");
