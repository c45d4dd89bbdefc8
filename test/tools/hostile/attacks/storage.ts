import { maxStoredAnswerBytes } from '../../../../src/operation/repeated-requests.ts'
import { systemClock } from '../../../../worker/clock.ts'
import { countStoredBytes } from '../../../../worker/jobs/count-stored-bytes.ts'
import { setStoredBytes } from '../../../support/stored-bytes.ts'
import { type Attack, type AttackContext, inParallel, pause } from '../attack.ts'
import { largeValue, vendor } from './vendor.ts'

/** A tenant that fills its storage, and evals whose answers nobody waits for. */
export const storageAttacks: Attack[] = [
  {
    name: 'writes of every kind beyond the stored bytes',
    async run(scene) {
      const { attacker, tenants, scale } = scene
      const given = vendor(scene)
      const cap = 2_000_000 * scale
      await setStoredBytes(tenants.pool, attacker.organizationId, { total: 0, cap })
      await given.feature('big')
      for (let index = 0; index < 4; index++) await given.subscriber(`s${index}`)

      const statuses = await fill(scene)

      const { total } = await countNow(scene)
      // Some excess is normal: concurrent requests pass together, and the estimate differs from the stored bytes.
      if (total > 2 * cap) scene.fault(`the organization stores ${total} bytes, more than twice its cap of ${cap}`)
      if (!statuses.has(409)) scene.fault(`no write was refused at the cap: ${[...statuses].join()}`)
      await setStoredBytes(tenants.pool, attacker.organizationId, { total: cap, cap })
      for (const path of ['/org/subscribers/s0/overrides/big', '/org/subscribers/s0']) {
        const status = (await given.send('DELETE', path))?.status
        // This override may be among the refused ones.
        if (status !== 204 && status !== 404) scene.fault(`DELETE ${path} at the cap is ${status}`)
      }
      scene.note(`${(total / 1e6).toFixed(1)} MB of ${cap / 1e6}`)
    },
  },
  {
    name: 'endless refusals of unknown objects',
    async run(scene) {
      const { client, attacker, scale } = scene
      const headers = { ...attacker.headers, 'user-agent': 'x'.repeat(1_000) }
      let recorded = 0
      await inParallel(scene, { total: 1_200 + 100 * scale, atOnce: 20 }, async (index) => {
        const answer = await client.send({ method: 'DELETE', path: `/org/subscribers/nobody${index}`, headers })
        if (answer?.status === 404) recorded += 1
        // No limit per minute applies, since these are not 403s; the entries count towards the organization's stored bytes.
        if (answer && ![404, 503].includes(answer.status)) scene.fault(`an unknown object is answered ${answer.status}`)
      })
      const { total } = await countNow(scene)
      if (total < 500 * recorded) scene.fault(`${recorded} refusals are charged with ${total} bytes`)
      scene.note(`${recorded} recorded, ${(total / 1e6).toFixed(1)} MB charged`)
    },
  },
  {
    name: 'more answers to requests with an Idempotency-Key than are kept',
    async run(scene) {
      const { attacker, client, tenants, scale } = scene
      const { organizationId } = attacker
      const given = vendor(scene)
      await given.feature('big')
      await given.subscriber('s0')
      // Store more than is kept, with past times; text of a single letter takes little disk space.
      await tenants.pool.query(
        `insert into kept_answer (organization_id, member_id, idempotency_key, request_hash, request_id, status, body)
         select $1, 'earlier', 'k' || n, '', '', 200, repeat('x', 16384) from generate_series(1, 5000) n`,
        [organizationId],
      )

      const keys = 150 * scale
      await inParallel(scene, { total: 4 * keys, atOnce: 60 }, async (index) => {
        const key = `k${index % keys}`
        const answer = await client.send({
          method: 'PUT',
          path: '/org/subscribers/s0/overrides/big',
          headers: { ...attacker.headers, 'idempotency-key': key },
          body: { kind: 'config', value: { key, ...largeValue(15_000) } },
        })
        if (answer && ![200, 409, 503].includes(answer.status)) scene.fault(`a write with a key is ${answer.status}`)
      })

      const keptBytes = async () => {
        const { rows } = await tenants.pool.query(
          'select sum(octet_length(body))::float8 as bytes from kept_answer where organization_id = $1',
          [organizationId],
        )
        return rows[0].bytes as number
      }
      // The oldest rows are deleted a moment later.
      for (let look = 0; look < 100 && (await keptBytes()) > maxStoredAnswerBytes; look++) await pause(scene, 100)
      const bytes = await keptBytes()
      if (bytes > maxStoredAnswerBytes) scene.fault(`${bytes} bytes of answers are kept`)
      const { rows } = await tenants.pool.query(
        `select count(*)::int as writes from audit_event
          where organization_id = $1 and method = 'PUT' and status = 200`,
        [organizationId],
      )
      if (rows[0].writes > keys) scene.fault(`${rows[0].writes} writes ran under ${keys} keys`)
      scene.note(`${(bytes / 1e6).toFixed(0)} MB kept, ${rows[0].writes} writes`)
    },
  },
  {
    name: 'more evals at once than can be answered, which could use up an allotment',
    async run(scene) {
      const { attacker, tenants, scale } = scene
      const { organizationId } = attacker
      const given = vendor(scene)
      const allotment = 300 * scale
      await tenants.pool.query('update eval_counter set allotment = $2 where organization_id = $1', [
        organizationId,
        allotment,
      ])
      const features = 8
      await given.features('big', features)
      for (let index = 0; index < 8; index++) {
        await given.subscriber(`s${index}`)
        for (let feature = 0; feature < features; feature++)
          await given.override(`s${index}`, `big${feature}`, largeValue(60_000))
      }

      let answered = 0
      let unanswered = 0
      await inParallel(scene, { total: 2 * allotment, atOnce: 120 }, async (index) => {
        const subscriber = `s${index % 8}`
        const answer = await (index % 3 === 0 ? given.snapshot(subscriber) : given.check(subscriber, 'big0'))
        if (answer?.status === 200) answered += 1
        else if (answer?.status !== 409 && answer?.status !== 429) unanswered += 1
      })

      const used = async () => {
        const { rows } = await tenants.pool.query(
          'select month_used::int as used from eval_counter where organization_id = $1',
          [organizationId],
        )
        return rows[0].used as number
      }
      // The count drops refunded evals a moment later.
      for (let look = 0; look < 100 && (await used()) !== answered; look++) await pause(scene, 100)
      if ((await used()) !== answered) scene.fault(`${answered} evals were answered, and ${await used()} are counted`)
      scene.note(`${answered} answered, ${unanswered} not`)
    },
  },
]

/** Overrides, subscribers and imports with the longest ids and values, until most are refused. */
async function fill(scene: AttackContext): Promise<Set<number | undefined>> {
  const given = vendor(scene)
  const { client, attacker, scale } = scene
  const statuses = new Set<number | undefined>()
  let refused = 0
  const long = (index: number) => `${index}`.padEnd(250, 'x')
  const lines = (index: number) =>
    Array.from({ length: 100 }, (_, line) => JSON.stringify({ subscriber_id: long(index * 100 + line) })).join('\n')
  const headers = { ...attacker.headers, 'content-type': 'application/x-ndjson' }
  await inParallel(scene, { total: 150 * scale, atOnce: 16 }, async (index) => {
    // After 600 refusals in a minute, 429 would hide what the cap itself allows.
    if (refused >= 300) return
    const kind = index % 10
    const answer =
      kind === 0
        ? await client.send({ method: 'POST', path: '/org/subscribers/import', headers, body: lines(index) })
        : kind < 6
          ? await given.override(`s${index % 4}`, 'big', largeValue(30_000))
          : await given.subscriber(long(index))
    statuses.add(answer?.status)
    if (answer?.status === 409) refused += 1
  })
  return statuses
}

async function countNow({
  tenants: { pool },
  attacker: { organizationId },
  signal,
}: AttackContext): Promise<{ total: number }> {
  // Makes the worker count again, without the value that was set for the attack.
  await pool.query(`update stored_bytes set counted_at = null, other = 0, total = audit where organization_id = $1`, [
    organizationId,
  ])
  await countStoredBytes({ pool, clock: systemClock, signal, settledMs: 0 }, [organizationId], 0)
  const { rows } = await pool.query('select total::float8 as total from stored_bytes where organization_id = $1', [
    organizationId,
  ])
  return rows[0]
}
