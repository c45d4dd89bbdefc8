-- The versions from before the triggers, from the entries of the audit log that say exactly what changed and when. What they do
-- not say (values that were too large for the log, entries that were deleted or have no moment) is where the past of the
-- organization begins. Nobody waits for this: it locks nothing that others lock.
-- runs beside: 20261126235000_changes_of_subscribers

-- Dropped below.
CREATE TABLE "unknown_until" ("organization_id" TEXT COLLATE "C", "at" TIMESTAMPTZ);

-- An entry that changed something, of what there is still: a log that began later, or whose beginning was deleted, says nothing of
-- the time before its first entry.
INSERT INTO "unknown_until"
SELECT s."organization_id", (SELECT "occurred_at" - interval '2 milliseconds' FROM "audit_event" e WHERE e."organization_id" = s."organization_id" ORDER BY "audit_event_id" LIMIT 1)
  FROM "past_start" s;

CREATE FUNCTION "is_too_large"(recorded json) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN coalesce(json_typeof(recorded) = 'object' AND recorded ->> 'too_large' = 'true' AND recorded -> 'kind' IS NULL, false);

-- Overrides: the state after each change, until the next one. The state after the last is the row, or a version of a trigger.
DO $$
DECLARE
    e record;
    place text[];
    is_known boolean;
    is_there boolean;
    state "override_version"%ROWTYPE;
    recorded json;
BEGIN
    FOR e IN
        SELECT a."organization_id" AS org, s."subscriber_id" AS subscriber, c.feature, c.before, c.after, c.patch, a."audit_event_id" AS id, a."created_id",
               a."member_id" AS member, date_trunc('milliseconds', coalesce(a."changed_at", a."occurred_at")) AS at, a."changed_at" IS NOT NULL AS is_exact
          FROM "audit_event" a
          JOIN "past_start" start USING ("organization_id")
          JOIN "subscriber" s ON s."organization_id" = a."organization_id" AND s."subscriber_id" = a."params" ->> 'subscriber_id'
         CROSS JOIN LATERAL (
               SELECT a."params" ->> 'feature_key' AS feature, CASE WHEN a."created_id" IS NOT NULL THEN 'null'::json END AS before,
                      CASE WHEN a."method" = 'DELETE' THEN 'null'::json WHEN a."created_id" IS NOT NULL THEN a."details"::json END AS after,
                      CASE WHEN a."method" = 'PUT' AND a."created_id" IS NULL THEN a."details"::json END AS patch
                WHERE a."route" = '/org/subscribers/{subscriber_id}/overrides/{feature_key}'
                UNION ALL
               SELECT o.key, o.value -> 'from', o.value -> 'to', NULL
                 FROM json_each(CASE WHEN a."route" = '/org/subscribers/import' THEN a."details"::json -> 'overrides' END) o) c
         WHERE a."route" IN ('/org/subscribers/{subscriber_id}/overrides/{feature_key}', '/org/subscribers/import')
           AND a."status" BETWEEN 200 AND 299 AND (a."details" IS NOT NULL OR a."method" = 'DELETE')
           AND coalesce(a."changed_at", a."occurred_at") < start."since" AND coalesce(a."changed_at", a."occurred_at") >= s."created_at"
         ORDER BY 1, 2, 3, 10, 7
    LOOP
        IF place IS DISTINCT FROM ARRAY[e.org, e.subscriber, e.feature] THEN
            place := ARRAY[e.org, e.subscriber, e.feature];
            -- What a creation or a whole account says was before it.
            is_known := coalesce(json_typeof(e.before) = 'null', false);
            is_there := false;
        END IF;
        IF NOT is_known OR NOT e.is_exact THEN
            INSERT INTO "unknown_until" VALUES (e.org, e.at + CASE WHEN e.is_exact THEN interval '0' ELSE interval '2 minutes' END);
        ELSIF is_there AND e.at > state."valid_from" THEN
            state."valid_to" := e.at;
            state."ended_by" := e.member;
            INSERT INTO "override_version" VALUES (state.*) ON CONFLICT DO NOTHING;
        END IF;

        is_there := coalesce(json_typeof(coalesce(e.after, e.patch)) = 'object', false);
        IF json_typeof(e.after) = 'object' THEN
            IF json_typeof(e.before) = 'null' OR state."override_id" IS NULL OR NOT is_known THEN
                state."override_id" := coalesce(e.after ->> 'override_id', e.id);
                state."created_at" := e.at;
            END IF;
            state."organization_id" := e.org;
            state."subscriber_id" := e.subscriber;
            state."feature_key" := e.feature;
            state."kind" := (e.after ->> 'kind')::"feature_kind";
            is_known := NOT ("is_too_large"(e.after) OR "is_too_large"(e.after -> 'value'));
            state."allowed" := (e.after ->> 'allowed')::boolean;
            state."limit" := CASE WHEN is_known THEN (e.after ->> 'limit')::bigint END;
            state."value" := CASE WHEN state."kind" = 'config' THEN (e.after -> 'value')::text END;
            state."expires_at" := (e.after ->> 'expires_at')::timestamptz;
            state."note" := e.after ->> 'note';
        ELSIF e.patch IS NOT NULL THEN
            IF e.patch -> 'allowed' IS NOT NULL THEN state."allowed" := (e.patch -> 'allowed' ->> 'to')::boolean; END IF;
            IF e.patch -> 'limit' IS NOT NULL THEN state."limit" := (e.patch -> 'limit' ->> 'to')::bigint; END IF;
            IF e.patch -> 'expires_at' IS NOT NULL THEN state."expires_at" := (e.patch -> 'expires_at' ->> 'to')::timestamptz; END IF;
            IF e.patch -> 'note' IS NOT NULL THEN state."note" := e.patch -> 'note' ->> 'to'; END IF;
            recorded := e.patch -> 'value';
            IF recorded IS NOT NULL THEN
                state."value" := (recorded -> 'to')::text;
                is_known := is_known AND NOT "is_too_large"(recorded);
            END IF;
        ELSE
            -- It was deleted: nothing is there, whatever was before.
            is_known := e.after IS NOT NULL;
        END IF;
        is_known := is_known AND e.is_exact;
        state."valid_from" := e.at;
        state."set_by" := e.member;
    END LOOP;
END $$;

-- An override that the log does not name, but that was changed.
INSERT INTO "unknown_until"
SELECT o."organization_id", o."updated_at" FROM "override" o JOIN "past_start" start USING ("organization_id")
 WHERE o."updated_at" > o."created_at" AND o."updated_at" < start."since"
   AND NOT EXISTS (SELECT FROM "override_version" v
                    WHERE v."organization_id" = o."organization_id" AND v."subscriber_id" = o."subscriber_id" AND v."feature_key" = o."feature_key");

-- Grants: an update says what was granted before and after.
DO $$
DECLARE
    e record;
    place text[];
    since timestamptz;
    state json;
    by_member text;
    reason text;
BEGIN
    FOR e IN
        SELECT p."organization_id" AS org, p."plan_key" AS plan, g.key AS feature,
               CASE WHEN a."method" = 'POST' THEN p."created_at" ELSE date_trunc('milliseconds', coalesce(a."changed_at", a."occurred_at")) END AS at,
               a."changed_at" IS NOT NULL AS is_exact, a."method" = 'POST' AS is_creation, a."member_id" AS member, a."details"::json ->> 'note' AS note,
               CASE WHEN a."method" = 'POST' THEN 'null'::json ELSE g.value -> 'from' END AS before,
               CASE WHEN a."method" = 'POST' THEN g.value ELSE g.value -> 'to' END AS after,
               lead(a."audit_event_id") OVER (PARTITION BY p."organization_id", p."plan_key", g.key
                                             ORDER BY a."method" <> 'POST', date_trunc('milliseconds', coalesce(a."changed_at", a."occurred_at")), a."audit_event_id") IS NULL AS is_last
          FROM "audit_event" a
          JOIN "past_start" start USING ("organization_id")
          JOIN "plan" p ON p."organization_id" = a."organization_id"
           AND p."plan_key" = CASE WHEN a."method" = 'POST' THEN a."created_id" ELSE a."params" ->> 'key' END
         CROSS JOIN LATERAL json_each(a."details"::json -> 'grants') g
         WHERE (a."route" = '/org/plans' AND a."method" = 'POST' OR a."route" = '/org/plans/{key}' AND a."method" = 'PATCH')
           AND a."status" BETWEEN 200 AND 299 AND a."details" IS NOT NULL
           AND coalesce(a."changed_at", a."occurred_at") < start."since" AND coalesce(a."changed_at", a."occurred_at") >= p."created_at"
         ORDER BY 1, 2, 3, 4, a."audit_event_id"
    LOOP
        IF place IS DISTINCT FROM ARRAY[e.org, e.plan, e.feature] THEN
            place := ARRAY[e.org, e.plan, e.feature];
            -- What was not granted at the creation was not granted until the first change.
            since := NULL;
            IF NOT e.is_creation AND coalesce(json_typeof(e.before), '') <> 'null' THEN INSERT INTO "unknown_until" VALUES (e.org, e.at); END IF;
        ELSE
            -- An account that was too large is completed by the next one.
            IF state IS NULL THEN state := e.before; END IF;
            IF state IS NULL OR since IS NULL THEN
                INSERT INTO "unknown_until" VALUES (e.org, e.at);
            ELSIF json_typeof(state) = 'object' AND e.at > since THEN
                INSERT INTO "plan_grant_version"
                VALUES (e.org, e.plan, e.feature, since, e.at, (state ->> 'kind')::"feature_kind", (state ->> 'limit')::bigint,
                        CASE WHEN state ->> 'kind' = 'config' THEN (state -> 'value')::text END, by_member, reason, e.member, e.note)
                    ON CONFLICT DO NOTHING;
            END IF;
        END IF;
        IF NOT e.is_exact THEN INSERT INTO "unknown_until" VALUES (e.org, e.at + interval '2 minutes'); END IF;
        since := CASE WHEN e.is_exact THEN e.at END;
        state := CASE WHEN "is_too_large"(e.after) THEN NULL ELSE e.after END;
        by_member := e.member;
        reason := e.note;
        -- What the trigger or the migration before found is what the last change led to.
        CONTINUE WHEN NOT e.is_last OR NOT e.is_exact OR coalesce(json_typeof(e.after) <> 'object', true);
        UPDATE "plan_grant_version" v SET "valid_from" = e.at, "set_by" = e.member, "note" = e.note
         WHERE v."organization_id" = e.org AND v."plan_key" = e.plan AND v."feature_key" = e.feature
           AND v."valid_from" = (SELECT min("valid_from") FROM "plan_grant_version" f
                                  WHERE f."organization_id" = e.org AND f."plan_key" = e.plan AND f."feature_key" = e.feature AND f."valid_to" > e.at);
    END LOOP;
END $$;

-- Deleted features, with the kind that their creation names.
WITH "deleted" AS (
    SELECT a."organization_id" AS org, a."params" ->> 'key' AS feature, date_trunc('milliseconds', coalesce(a."changed_at", a."occurred_at")) AS at, c.*
      FROM "audit_event" a
      JOIN "past_start" start USING ("organization_id")
      LEFT JOIN LATERAL (
           SELECT (e."details"::json ->> 'kind')::"feature_kind" AS kind, date_trunc('milliseconds', coalesce(e."changed_at", e."occurred_at")) AS created
             FROM "audit_event_creation" l JOIN "audit_event" e USING ("organization_id", "audit_event_id")
            WHERE l."organization_id" = a."organization_id" AND l."created_id" = a."params" ->> 'key' AND e."route" = '/org/features'
              AND e."audit_event_id" < a."audit_event_id"
            ORDER BY e."audit_event_id" DESC LIMIT 1) c ON true
     WHERE a."route" = '/org/features/{key}' AND a."method" = 'DELETE' AND a."status" BETWEEN 200 AND 299
       AND coalesce(a."changed_at", a."occurred_at") < start."since"),
"unknown" AS (
    INSERT INTO "unknown_until" SELECT org, at FROM "deleted" WHERE kind IS NULL)
INSERT INTO "former_feature" ("organization_id", "feature_key", "deleted_at", "kind", "created_at")
SELECT org, feature, at, kind, created FROM "deleted" WHERE kind IS NOT NULL
    ON CONFLICT DO NOTHING;

-- Who canceled a subscription.
UPDATE "subscription" s SET "canceled_by" = a."member_id"
  FROM "audit_event" a
 WHERE a."organization_id" = s."organization_id" AND s."status" = 'canceled' AND s."canceled_by" IS NULL AND a."status" = 200
   AND s."subscription_id" = CASE a."route"
         WHEN '/org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel' THEN a."params" ->> 'subscription_id'
         WHEN '/org/subscribers/{subscriber_id}/subscriptions/change' THEN a."details"::json ->> 'canceled_subscription_id' END;

UPDATE "past_start" s
   SET "since" = least(s."since", date_trunc('milliseconds', known.at) + interval '1 millisecond')
  FROM (SELECT "organization_id", max("at") AS at FROM "unknown_until" WHERE "at" IS NOT NULL GROUP BY 1) known
 WHERE known."organization_id" = s."organization_id";

DROP FUNCTION "is_too_large"(json);
DROP TABLE "unknown_until";
