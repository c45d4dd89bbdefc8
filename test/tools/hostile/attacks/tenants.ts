import { type Attack, type AttackContext, inParallel } from '../attack.ts'
import { largeValue, vendor } from './vendor.ts'

const kilobytes60 = 60_000

/** Costly requests of one tenant with large data. */
export const tenantAttacks: Attack[] = [
  {
    name: 'forty aliases of large values',
    async run(scene) {
      const { client, attacker, scale } = scene
      const given = vendor(scene)
      await given.feature('big')
      const subscribers = scale > 1 ? 100 : 30
      await inParallel(scene, { total: subscribers, atOnce: 4 }, async (index) => {
        await given.subscriber(`s${index}`)
        await given.override(`s${index}`, 'big', largeValue(kilobytes60))
      })
      const aliases = Array.from({ length: 40 }, (_, index) => `a${index}: override(feature: "big") { value }`)
      const query = `{ subscribers(first: 100) { nodes { ${aliases.join(' ')} } } }`
      await Promise.all(
        Array.from({ length: scale > 1 ? 4 : 1 }, () => client.graphql(query, undefined, attacker.headers)),
      )
    },
  },
  {
    name: 'all large values in one answer',
    async run(scene) {
      const { client, attacker, scale } = scene
      const given = vendor(scene)
      const features = 16 * Math.min(scale, 3)
      await given.features('big', features)
      await inParallel(scene, { total: 10 * scale, atOnce: 4 }, async (index) => {
        await given.subscriber(`s${index}`)
        for (let feature = 0; feature < features; feature++)
          await given.override(`s${index}`, `big${feature}`, largeValue(kilobytes60))
      })
      for (let round = 0; round < 3; round++) {
        await client.graphql(
          '{ subscribers(first: 100) { nodes { overrides { value } } } }',
          undefined,
          attacker.headers,
        )
        await client.graphql('{ auditEvents(first: 100) { nodes { details } } }', undefined, attacker.headers)
      }
      await inParallel(scene, { total: 40, atOnce: 20 }, () => given.send('GET', '/org/subscribers/s0/overrides'))
    },
  },
  {
    name: 'plans of a megabyte, read again by each check',
    async run(scene) {
      const given = vendor(scene)
      await addLargePlans(scene, 12 * Math.min(scene.scale, 5))
      await given.subscriber('s')
      for (let round = 0; round < 10 * scene.scale; round++) {
        await Promise.all([given.send('PATCH', '/org/plans/p0', { name: `p${round}` }), given.check('s', 'big0')])
        await given.check('s', 'big1')
      }
      await inParallel(scene, { total: 10 * scene.scale, atOnce: 5 }, () => given.send('GET', '/org/plans'))
    },
  },
  {
    name: 'lists of sixteen megabytes of plans, five at once without a pause',
    async run(scene) {
      await addLargePlans(scene, 16)
      await inParallel(scene, { total: 20 * Math.min(scene.scale, 3), atOnce: 5 }, () =>
        vendor(scene).send('GET', '/org/plans'),
      )
    },
  },
  {
    name: 'checks of many features that many subscribers do not have',
    async run(scene) {
      const given = vendor(scene)
      const [features, subscribers] = [20 * Math.min(scene.scale, 5), 40 * Math.min(scene.scale, 5)]
      await given.features('none', features)
      await inParallel(scene, { total: subscribers, atOnce: 8 }, (index) => given.subscriber(`s${index}`))
      await inParallel(scene, { total: 1_000 * scene.scale, atOnce: 16 }, (index) =>
        given.check(`s${index % subscribers}`, `none${Math.floor(index / subscribers) % features}`),
      )
    },
  },
  {
    name: 'previews of two hundred changes of the catalog, five at once',
    async run(scene) {
      const input = (index: number) => ({ key: `f${index}`, name: 'f', kind: 'flag' })
      const changes = Array.from({ length: 200 }, (_, index) => ({ operation: 'create_feature', input: input(index) }))
      await inParallel(scene, { total: 10 * scene.scale, atOnce: 5 }, () =>
        vendor(scene).send('POST', '/org/catalog/preview', { changes }),
      )
    },
  },
  {
    name: 'previews whose refusals quote long names, five at once',
    async run(scene) {
      const wrong = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 1]))
      const grants = { ['a'.repeat(4_000)]: { kind: 'flag', ...wrong } }
      const change = { operation: 'create_plan', input: { key: 'a', name: 'A', grants } }
      const changes = new Array(200).fill(change)
      await inParallel(scene, { total: 10 * scene.scale, atOnce: 5 }, () =>
        vendor(scene).send('POST', '/org/catalog/preview', { changes }),
      )
    },
  },
  {
    name: 'fifty snapshots of large overrides at once',
    async run(scene) {
      const given = vendor(scene)
      const count = scene.scale > 1 ? 150 : 60
      await given.features('big', count)
      await given.subscriber('s')
      await inParallel(scene, { total: count, atOnce: 4 }, (index) =>
        given.override('s', `big${index}`, largeValue(kilobytes60)),
      )
      for (let round = 0; round < Math.min(scene.scale, 4); round++)
        await Promise.all(Array.from({ length: 50 }, () => given.snapshot('s')))
    },
  },
  {
    name: 'snapshots of a hundred subscribers with large values, as many as the rate admits',
    async run(scene) {
      const given = vendor(scene)
      await given.features('big', 4)
      const ids = Array.from({ length: 100 }, (_, index) => `s${index}`)
      await inParallel(scene, { total: ids.length, atOnce: 4 }, async (index) => {
        await given.subscriber(`s${index}`)
        // Every second override is small.
        if (index % 2 === 0) return
        for (let feature = 0; feature < 4; feature++)
          await given.override(`s${index}`, `big${feature}`, largeValue(kilobytes60))
      })
      await inParallel(scene, { total: 24 * scene.scale, atOnce: 12 }, () =>
        given.send('POST', '/org/entitlements', { subscriber_ids: ids }),
      )
    },
  },
  {
    name: 'fifty signed snapshots of large values at once, some of them not read',
    async run(scene) {
      const { client, attacker, scale } = scene
      const given = vendor(scene)
      const count = scale > 1 ? 150 : 60
      await given.features('big', count)
      await given.subscriber('s')
      await inParallel(scene, { total: count, atOnce: 4 }, (index) =>
        given.override('s', `big${index}`, largeValue(kilobytes60)),
      )
      const path = '/org/subscribers/s/entitlements'
      const headers = { ...attacker.headers, accept: 'application/jwt' }
      const lines = ['GET', path, 'HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/jwt\r\nX-API-Key:']
      for (let round = 0; round < Math.min(scale, 4); round++) {
        for (let index = 0; index < 10; index++) {
          const socket = await client.open({ reads: false })
          socket.write(`${lines.join(' ')} ${attacker.headers['x-api-key']}\r\n\r\n`)
        }
        await inParallel(scene, { total: 50, atOnce: 50 }, () => client.send({ path, headers }))
      }
    },
  },
  {
    name: 'plans of ten thousand grants',
    async run(scene) {
      const { client, attacker, scale } = scene
      const given = vendor(scene)
      const count = scale > 1 ? 10_000 : 500
      await inParallel(scene, { total: count / 25, atOnce: 4 }, (batch) => {
        const fields = Array.from({ length: 25 }, (_, index) => {
          const key = `f${batch * 25 + index}`
          return `a${index}: createFeature(input: { key: "${key}", name: "x", kind: FLAG }) { key }`
        })
        return client.graphql(`mutation { ${fields.join(' ')} }`, undefined, attacker.headers)
      })
      const grants = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { kind: 'flag' }]))
      await given.send('POST', '/org/plans', { key: 'p', name: 'p', grants })
      await given.subscriber('s')
      await given.send('POST', '/org/subscribers/s/subscriptions', { plan_id: 'p' })
      for (let round = 0; round < 3; round++) {
        await given.send('PATCH', '/org/plans/p', { grants: round % 2 ? grants : {} })
        await Promise.all(Array.from({ length: 10 }, () => given.snapshot('s')))
      }
      const unknown = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`u${index}`, { kind: 'flag' }]))
      await given.send('PATCH', '/org/plans/p', { grants: unknown })
    },
  },
  {
    name: 'more followers of changes than the limit',
    async run(scene) {
      const { client, attacker, answers, scale } = scene
      const given = vendor(scene)
      const followers = 120 * scale
      const head = `GET /org/changes HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${attacker.headers['x-api-key']}\r\nAccept: text/event-stream\r\n\r\n`
      await inParallel(scene, { total: followers, atOnce: 20 }, async (index) => {
        // Every third connection does not read.
        const socket = await client.open({ reads: index % 3 > 0 })
        socket.write(head)
        answers.count('followed')
      })
      await given.feature('f')
      const writing = inParallel(scene, { total: 20 * scale, atOnce: 2 }, (index) =>
        given.send('PATCH', '/org/features/f', { name: `F${index}` }),
      )
      await inParallel(scene, { total: 200 * scale, atOnce: 100 }, (index) =>
        client.send({ path: `/org/changes?wait=${index % 2}`, headers: attacker.headers }),
      )
      await writing
    },
  },
  {
    name: 'exports, a hundred at once, of which half are not read',
    async prepare({ attacker, tenants, scale }) {
      await tenants.pool.query(
        `insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
         select $1, 'many-' || i, repeat('x', 200), '2026-01-01', '2026-01-01' from generate_series(1, $2::int) i`,
        [attacker.organizationId, 4_000 * scale],
      )
    },
    async run(scene) {
      const { client, attacker, answers, scale } = scene
      const path = '/org/subscribers?without_override_of=x'
      const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${attacker.headers['x-api-key']}\r\nAccept: text/csv\r\n\r\n`
      await inParallel(scene, { total: 100 * scale, atOnce: 100 }, async (index) => {
        if (index % 2 === 0) {
          await client.send({ path, headers: { ...attacker.headers, accept: 'application/x-ndjson' } })
          return
        }
        const socket = await client.open({ reads: false })
        socket.write(head)
        answers.count('not read')
      })
    },
  },
  {
    name: 'tests of a webhook, two hundred at once',
    async run(scene) {
      const { client, attacker, scale, tenants } = scene
      const { headers, organizationId } = attacker
      await client.send({ method: 'PUT', path: '/org/webhook', headers, body: { url: 'https://receiver.example/' } })
      await inParallel(scene, { total: 200 * scale, atOnce: 50 }, () =>
        client.send({ method: 'POST', path: '/org/webhook/test', headers }),
      )
      const { rows } = await tenants.pool.query<{ count: number }>(
        `select count(*)::int as count from webhook_event where organization_id = $1 and state = 'queued'`,
        [organizationId],
      )
      // Test events that are queued at the same moment do not see each other.
      const [{ count } = { count: 0 }] = rows
      if (count > 40) scene.fault(`${count} tests are not sent yet, but only 20 are allowed`)
    },
  },
]

/** Adds plans of a megabyte each. */
async function addLargePlans(scene: AttackContext, count: number): Promise<void> {
  const given = vendor(scene)
  await given.features('big', 16)
  const grants = Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [`big${index}`, { kind: 'config', value: largeValue(kilobytes60) }]),
  )
  for (let index = 0; index < count; index++)
    await given.send('POST', '/org/plans', { key: `p${index}`, name: 'p', grants })
}
