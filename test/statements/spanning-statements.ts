/**
 * A statement that does not concern one organization, and why. With Citus it would query every shard, or a table that all
 * nodes have.
 */
type Spanning = {
  /** A part of its text that is in no other statement. */
  sent: string
  /** The file that sends it. */
  file: string
  /** A part of that file, if Prisma's client creates the statement's text. */
  source?: string
  why: keyof typeof reasons
}

/** docs/scaling.md explains each reason, and what it would take to avoid such statements. */
const reasons = {
  gate: 'Evals of many organizations share a statement.',
  key: 'The organization is found by the secret of a key, a session or an invite.',
  person: 'A personal action concerns all organizations of a person.',
  batch: 'The worker handles what is due in many organizations in one statement.',
  sweep: 'A periodic job searches all organizations.',
  start: 'A process checks the whole database when it starts.',
}

export const spanningStatements: readonly Spanning[] = [
  { why: 'gate', file: 'src/gate/statement/gate-text.ts', sent: 'with setting as materialized (' },

  { why: 'gate', file: 'src/gate/feature-usage/store-feature-usage.ts', sent: 'insert into feature_usage_day as u' },
  {
    why: 'gate',
    file: 'src/gate/feature-usage/store-feature-usage.ts',
    sent: 'update feature_usage_day u set denied_to',
  },

  { why: 'key', file: 'src/access/authenticate.ts', sent: `where k.key_hash = decode($1, 'hex')` },
  {
    why: 'key',
    file: 'src/access/last-uses.ts',
    sent: `where key_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)`,
  },
  {
    why: 'key',
    file: 'src/access/last-uses.ts',
    sent: `where session_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)`,
  },
  {
    why: 'key',
    file: 'src/modules/memberships/read-invitation.ts',
    sent: 'from invite i join organization o on o.organization_id = i.organization_id',
  },
  {
    why: 'key',
    file: 'src/modules/invites/invite.ts',
    sent: 'WHERE ("public"."invite"."token_hash" = $1',
    source: 'tx.invite.findUnique({ where: { hash:',
  },

  {
    why: 'person',
    file: 'src/modules/memberships/read-user-organizations.ts',
    sent: 'join organization o on o.organization_id = u.organization_id',
  },
  {
    why: 'person',
    file: 'src/modules/memberships/create-organization.ts',
    sent: 'WHERE "public"."organization"."creator_id" = $1',
    source: 'tx.organization.count({ where: { creatorId:',
  },
  {
    why: 'person',
    file: 'src/modules/accounts/delete-user.ts',
    sent: 'where organization_id in (select organization_id from user_membership where user_id =',
  },
  {
    why: 'person',
    file: 'src/modules/users/user.ts',
    sent: 'DELETE FROM "public"."console_session" WHERE "public"."console_session"."user_id" = $1',
    source: 'tx.consoleSession.deleteMany({ where: { userId } })',
  },
  {
    why: 'person',
    file: 'src/modules/accounts/user-session.ts',
    sent: 'AND ("public"."console_session"."console_session_id" IN (',
    source: 'tx.consoleSession.deleteMany({ where: { userId, OR: [{ id: isEnded }, { userSessionId: isEnded }] } })',
  },
  {
    why: 'person',
    file: 'src/modules/accounts/end-other-sessions.ts',
    sent: 'AND ("public"."console_session"."user_session_id" IS NULL OR ',
    source: 'tx.consoleSession.deleteMany({ where: { userId, ...isOther } })',
  },
  {
    why: 'person',
    file: 'src/modules/memberships/sign-in-to-organization.ts',
    sent: 'and user_session_id is not distinct from',
    source: 'or user_session_id is not distinct from',
  },
  {
    why: 'person',
    file: 'src/modules/accounts/user-session.ts',
    sent: 'where c.user_id = s.user_id and c.user_session_id = s.user_session_id)) as "lastUsedAt"',
  },
  {
    why: 'person',
    file: 'src/modules/accounts/user-session.ts',
    sent: 'select user_id, console_session_id from console_session where session_hash = any($1::bytea[])',
  },
  {
    why: 'person',
    file: 'src/modules/accounts/open-user-session.ts',
    sent: 'where user_id = $2 and user_session_id in (select user_session_id from ended)',
  },
  {
    why: 'person',
    file: 'src/modules/invites/invite.ts',
    sent: 'WHERE "public"."invite"."bound_user_id" = $2',
    source: 'tx.invite.updateMany({ where: { boundUserId: userId }',
  },

  { why: 'sweep', file: 'worker/jobs/prune-changes.ts', sent: 'with pruned as (' },
  { why: 'sweep', file: 'worker/jobs/prune-versions.ts', sent: 'insert into past_start as start' },
  { why: 'sweep', file: 'worker/jobs/prune-feature-usage.ts', sent: 'delete from feature_usage_day' },
  { why: 'sweep', file: 'worker/jobs/prune-token-counters.ts', sent: 'delete from token_counter' },
  {
    why: 'batch',
    file: 'src/access/look-up-token-subjects.ts',
    sent: 'with ordinality as h(organization_id, key_id, subscriber_id, since, ordinal)',
  },
  { why: 'sweep', file: 'worker/jobs/count-events.ts', sent: 'with queued as materialized (' },
  { why: 'sweep', file: 'worker/jobs/prune-idempotency-records.ts', sent: 'delete from kept_answer' },
  { why: 'batch', file: 'worker/delivery-queue-store.ts', sent: 'insert into webhook_lane as lane' },
  { why: 'batch', file: 'worker/jobs/chain-audit.ts', sent: 'insert into audit_chain (organization_id)' },
  { why: 'batch', file: 'worker/jobs/chain-audit.ts', sent: 'sum(bytes) over (order by id, is_pending)' },
  { why: 'batch', file: 'worker/jobs/chain-audit.ts', sent: 'insert into audit_link (organization_id, position' },
  {
    why: 'batch',
    file: 'src/changes/load-changes.ts',
    sent: 'from unnest($1::text[]) as followed (organization_id)',
  },
  { why: 'batch', file: 'src/changes/load-changes.ts', sent: 'insert into change_epoch default values' },
  {
    why: 'batch',
    file: 'src/changes/watch-rights.ts',
    sent: 'from unnest($1::text[], $2::text[]) as requested (organization_id, hash)',
  },
  {
    why: 'batch',
    file: 'worker/delivery-queue-store.ts',
    sent: 'where organization_id = any($1) and owner = $2 and lease_until',
  },
  { why: 'batch', file: 'worker/delivery-queue-store.ts', sent: 'from unnest($1::text[], $2::uuid[]) as seen' },
  {
    why: 'batch',
    file: 'worker/delivery-queue-store.ts',
    sent: 'from unnest($1::text[], $2::int[], $4::int[], $5::jsonb[])',
  },
  { why: 'batch', file: 'worker/record-attempts.ts', sent: 'as made (organization_id, event_id, made_before)' },
  {
    why: 'batch',
    file: 'worker/record-attempts.ts',
    sent: 'select organization_id from webhook_endpoint where organization_id = any($1)',
  },
  { why: 'batch', file: 'worker/record-attempts.ts', sent: 'as made (organization_id, event_id, number' },
  { why: 'batch', file: 'worker/record-attempts.ts', sent: 'as counted (organization_id, exhausted, disabled)' },
  {
    why: 'batch',
    file: 'worker/jobs/expire-overrides.ts',
    sent: 'from unnest($1::text[]) as requested (organization_id)',
  },
  {
    why: 'batch',
    file: 'worker/jobs/expire-overrides.ts',
    sent: 'as due (organization_id, subscriber_id, feature_key',
  },
  {
    why: 'batch',
    file: 'worker/jobs/counted-tables.ts',
    sent: 'from unnest($1::text[], $2::text[]) as requested (organization_id, after)',
  },
  {
    why: 'batch',
    file: 'worker/jobs/count-stored-bytes.ts',
    sent: 'left join stored_bytes stored using (organization_id)',
  },
  {
    why: 'batch',
    file: 'worker/jobs/count-stored-bytes.ts',
    sent: 'as counted (organization_id, events, subscribers, overrides, catalog, other)',
  },
  {
    why: 'sweep',
    file: 'worker/jobs/prune-audit.ts',
    sent: 'select organization_id as id from audit_chain where organization_id > $1',
  },
  {
    why: 'sweep',
    file: 'worker/jobs/prune-sessions-and-invites.ts',
    sent: 'delete from console_session',
    source: 'limit $2 for update skip locked',
  },
  {
    why: 'sweep',
    file: 'worker/jobs/prune-sessions-and-invites.ts',
    sent: 'delete from invite',
    source: 'limit $2 for update skip locked',
  },
  { why: 'batch', file: 'src/gate/limit-notices.ts', sent: `select organization_id, 'rate', date_trunc` },

  { why: 'batch', file: 'src/changes/publish-follower-counts.ts', sent: 'insert into follower_count as told' },

  { why: 'sweep', file: 'worker/jobs/prune-changes.ts', sent: 'delete from follower_count where told_at <' },
  { why: 'sweep', file: 'worker/delivery-queue-store.ts', sent: 'with recursive organization (id) as' },
  {
    why: 'sweep',
    file: 'worker/jobs/chain-audit.ts',
    sent: 'select organization_id from audit_chain where swept_until is not null',
  },
  {
    why: 'sweep',
    file: 'worker/test-delivery.ts',
    sent: 'row_number() over (partition by organization_id order by event_id)',
  },
  { why: 'sweep', file: 'worker/delivery-queue-store.ts', sent: 'where owner = $1 and lease_until is not null' },
  { why: 'sweep', file: 'worker/jobs/expire-overrides.ts', sent: 'select distinct organization_id from (' },
  {
    why: 'sweep',
    file: 'worker/jobs/prune-events.ts',
    sent: 'select organization_id from webhook_event where organization_id > $1',
  },
  {
    why: 'sweep',
    file: 'worker/jobs/count-stored-bytes.ts',
    sent: 'select organization_id from organization where organization_id > $1 order by organization_id limit $2',
  },
  {
    why: 'sweep',
    file: 'worker/jobs/count-stored-bytes.ts',
    sent: 'select organization_id from stored_bytes where cap is null',
  },
  { why: 'sweep', file: 'worker/jobs/count-stored-bytes.ts', sent: 'not exists (select from stored_bytes stored' },
  { why: 'sweep', file: 'worker/jobs/shorten-waits.ts', sent: 'from webhook_event event, clock' },
  { why: 'sweep', file: 'src/gate/limit-notices.ts', sent: `select c.organization_id, 'allotment_' || t.percent` },
  { why: 'sweep', file: 'src/gate/limit-notices.ts', sent: 'select c.organization_id as until from eval_counter c' },

  {
    why: 'start',
    file: 'src/start.ts',
    sent: 'FROM (SELECT "public"."organization"."organization_id" FROM "public"."organization" WHERE 1=1',
    source: 'prisma.organization.count({ take: 1 })',
  },
  {
    why: 'start',
    file: 'src/demo/fill.ts',
    sent: 'WHERE "public"."organization"."name" = $1',
    source: 'prisma.organization.findFirst({ where: { name: organizationName } })',
  },
  { why: 'start', file: 'src/events/queues.ts', sent: 'CREATE SCHEMA IF NOT EXISTS pgboss', source: 'boss.start()' },
]
