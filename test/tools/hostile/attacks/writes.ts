import { type Attack, inParallel } from '../attack.ts'
import { vendor } from './vendor.ts'

/** Many concurrent requests of one tenant, all allowed. */
export const writeAttacks: Attack[] = [
  {
    name: 'a thousand writes to the catalog at once',
    async run(scene) {
      const given = vendor(scene)
      await inParallel(scene, { total: 300 * scene.scale, atOnce: 100 * Math.min(scene.scale, 10) }, (index) =>
        given.feature(`f${index}`, { kind: 'flag' }),
      )
    },
  },
  {
    name: 'overrides of one subscriber, put at once',
    async run(scene) {
      const given = vendor(scene)
      await given.feature('f')
      await given.subscriber('s')
      await inParallel(scene, { total: 300 * scene.scale, atOnce: 100 * Math.min(scene.scale, 5) }, (index) =>
        given.override('s', 'f', { index }),
      )
    },
  },
  {
    name: 'lists at full rate',
    async run(scene) {
      const given = vendor(scene)
      await given.features('f', 50)
      const paths = ['/org/features', '/org/plans', '/org/subscribers', '/org/audit-events?limit=100', '/org/members']
      await inParallel(scene, { total: 1000 * scene.scale, atOnce: 200 }, (index) =>
        given.send('GET', paths[index % paths.length] as string),
      )
    },
  },
  {
    name: 'filters that walk the whole audit log',
    async run(scene) {
      const { attacker, tenants, scale } = scene
      const given = vendor(scene)
      await tenants.pool.query(
        `insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                                  method, route, params, ip, outcome, status)
         select $1, '01M' || lpad(n::text, 23, '0'), now(), 'req_01M' || lpad(n::text, 23, '0'), $1, 'member_apikey', 'api',
                'POST', '/org/features', '{}', '127.0.0.1', 'responded', 201
           from generate_series(1, $2::int) n`,
        [attacker.organizationId, 20_000 * scale],
      )
      const filters = [
        'method=DELETE',
        'route=/org/nothing',
        'method=PATCH&route=/org/plans/%7Bkey%7D&service=identity',
        'outcome=no_response&occurred_after=2000-01-01T00:00:00Z',
        'created_id=nothing&method=GET',
        'params[key]=nothing&params[subscriber_id]=nothing',
      ]
      await inParallel(scene, { total: 60 * scale, atOnce: 30 }, (index) =>
        given.send('GET', `/org/audit-events?${filters[index % filters.length]}`),
      )
    },
  },
  {
    name: 'documents of many writes at once',
    async run(scene) {
      const { client, attacker, scale } = scene
      await inParallel(scene, { total: 20 * scale, atOnce: 20 }, (batch) => {
        const fields = Array.from(
          { length: 25 },
          (_, index) => `a${index}: createSubscriber(input: { subscriberId: "s${batch}-${index}" }) { subscriberId }`,
        )
        return client.graphql(`mutation { ${fields.join(' ')} }`, undefined, attacker.headers)
      })
    },
  },
  {
    name: 'evals beyond the rate, of bodies of all sizes',
    async run(scene) {
      const given = vendor(scene)
      await given.feature('f')
      await given.subscriber('s')
      await inParallel(scene, { total: 2000 * scene.scale, atOnce: 100 }, (index) => {
        const padding = 'p'.repeat(index % 10 === 0 ? 200_000 : 10)
        return given.send('POST', '/org/subscribers/s/entitlements/check', { feature: 'f', padding })
      })
    },
  },
  {
    name: 'contexts of OpenFeature at their largest',
    async run(scene) {
      const given = vendor(scene)
      await given.feature('f')
      await given.subscriber('s')
      const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
      const many = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index % 10))
      const rest = [nested, many, JSON.stringify('x'.repeat(900_000)), `"${'x'.repeat(1_100_000)}"`]
      await inParallel(scene, { total: 400 * scene.scale, atOnce: 50 }, (index) => {
        const path = index % 2 === 0 ? '/ofrep/v1/evaluate/flags' : '/ofrep/v1/evaluate/flags/f'
        return given.send('POST', path, `{"context":{"targetingKey":"s","rest":${rest[index % rest.length]}}}`)
      })
    },
  },
]
