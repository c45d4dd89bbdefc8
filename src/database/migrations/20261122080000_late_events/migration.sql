-- Events that are much older than their ids, such as expiries that were found late: with them apart, those before a moment are
-- a range of ids.

-- Whether the time in the id, its first ten characters in base 32, is more than a minute after the event. 60000 ms are
-- maxIdSkewMs of read-events.ts.
CREATE FUNCTION "webhook_event_is_late"(event_id text, occurred_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 1, 1)) - 1) * 35184372088832 +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 2, 1)) - 1) * 1099511627776 +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 3, 1)) - 1) * 34359738368 +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 4, 1)) - 1) * 1073741824::bigint +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 5, 1)) - 1) * 33554432::bigint +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 6, 1)) - 1) * 1048576::bigint +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 7, 1)) - 1) * 32768::bigint +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 8, 1)) - 1) * 1024::bigint +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 9, 1)) - 1) * 32::bigint +
        (strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(event_id, 10, 1)) - 1) * 1::bigint
        > date_part('epoch', occurred_at - timestamptz '1970-01-01 00:00:00+00') * 1000 + 60000;

-- CreateIndex
CREATE INDEX "webhook_event_late" ON "webhook_event"("organization_id", "event_id") WHERE (webhook_event_is_late(event_id, occurred_at));
