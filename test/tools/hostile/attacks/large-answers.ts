import { type Attack, type AttackContext, inParallel } from '../attack.ts'
import { vendor } from './vendor.ts'

/** Answers of many megabytes, or of many rows, which the process reads, writes as JSON and sends. */
export const largeAnswerAttacks: readonly Attack[] = [
  {
    name: 'audit pages and exports of wide entries, four at once',
    async run(scene) {
      const { client, attacker, scale } = scene
      await addWideEntries(scene, 200, 100_000)
      const whole = '/org/audit-events'
      await inParallel(scene, { total: 12 * scale, atOnce: 4 }, () =>
        client.send({ path: `${whole}?limit=100`, headers: attacker.headers }),
      )
      const types = ['text/csv', 'application/x-ndjson']
      await inParallel(scene, { total: 6 * scale, atOnce: 2 }, (index) =>
        client.send({ path: whole, headers: { ...attacker.headers, accept: types[index % 2] as string } }),
      )
      await inParallel(scene, { total: 8 * scale, atOnce: 4 }, () =>
        client.graphql('{ auditEvents(first: 100) { nodes { id details } } }', undefined, attacker.headers),
      )
    },
  },
  {
    name: 'audit pages of the widest entries',
    async run(scene) {
      const { client, attacker, scale, fault } = scene
      await addWideEntries(scene, 100, 1_900_000)
      await inParallel(scene, { total: 4 * scale, atOnce: 2 }, async () => {
        const answer = await client.send({ path: '/org/audit-events?limit=100', headers: attacker.headers })
        if (answer?.status === 200 && !answer.body.endsWith('"has_more":true}')) fault('a page of 190 MB was answered')
      })
    },
  },
  {
    name: 'the largest catalog in one answer, and under twenty-five aliases',
    async run(scene) {
      const { client, attacker, scale, tenants } = scene
      const given = vendor(scene)
      const count = 3_000
      await given.feature('f0', { kind: 'flag' })
      await tenants.pool.query(
        `insert into feature select (jsonb_populate_record(f, jsonb_build_object('feature_key', 'f' || i))).*
           from feature f, generate_series(1, $2::int) i where organization_id = $1`,
        [attacker.organizationId, count - 1],
      )
      const grants = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { kind: 'flag' }]))
      await given.send('POST', '/org/plans', { key: 'p', name: 'p', grants })
      await given.subscriber('s')
      await given.send('POST', '/org/subscribers/s/subscriptions', { plan_id: 'p' })

      const aliases = Array.from(
        { length: 25 },
        (_, index) => `a${index}: entitlements(subscriberId: "s") { entitlements { feature allowed } }`,
      )
      await inParallel(scene, { total: 2 * scale, atOnce: 2 }, () =>
        client.graphql(`{ ${aliases.join(' ')} }`, undefined, attacker.headers),
      )
      const paths = ['/org/features', '/org/plans', '/org/plans/p', '/org/subscribers/s/entitlements']
      await inParallel(scene, { total: 20 * scale, atOnce: 4 }, (index) =>
        given.send('GET', paths[index % paths.length] as string),
      )
    },
  },
]

/** The entries of a vendor who changes plans with many grants. */
async function addWideEntries(scene: AttackContext, count: number, bytes: number): Promise<void> {
  const { tenants, attacker } = scene
  await vendor(scene).feature('seed')
  const value = 'a value that was "quoted" '.repeat(250)
  const grants = Array.from({ length: Math.ceil(bytes / (2 * value.length)) }, (_, index) => [
    `f${index}`,
    { from: value, to: value },
  ])
  await tenants.pool.query(
    `insert into audit_event
     select (jsonb_populate_record(e, jsonb_build_object(
              'audit_event_id', left(e.audit_event_id, 20) || lpad(i::text, 6, '0'),
              'method', 'PATCH', 'route', '/org/plans/{key}', 'params', '{"key":"p"}'::jsonb, 'created_id', null,
              'details', $3::text))).*
       from audit_event e, generate_series(1, $2::int) i where organization_id = $1`,
    [attacker.organizationId, count, JSON.stringify({ grants: Object.fromEntries(grants) })],
  )
}
