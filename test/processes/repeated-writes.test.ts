import pg from 'pg'
import { expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { testMasterKey } from '../support/master-key.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { times } from '../support/race.ts'
import { runOnceInGraphql, sendOnce } from '../support/repeated.ts'
import { spawnApi } from '../support/spawn-service.ts'
import { Tenants } from '../support/tenants.ts'

const databaseUrl = await createOwnDatabase()
const env = { DATABASE_URL: databaseUrl, MASTER_KEY: testMasterKey }
const apis = await Promise.all([spawnApi(env), spawnApi(env)])
const tenants = new Tenants(databaseUrl)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
atEnd(async () => {
  await Promise.all(apis.map(({ end }) => end('SIGKILL')))
  await Promise.all([tenants.close(), pool.end()])
})

it('a write runs once when two processes get it a hundred times at once, for each of many keys', async () => {
  const tenant = await tenants.create()
  const key = tenant.headers['x-api-key'] as string
  const sendUntilDone = async (subscriber: number, n: number) => {
    for (;;) {
      const answer = await send(subscriber, n)
      // On a slow machine, a request may wait in vain for the database, or for the end of the first request.
      if (!/SERVICE_UNAVAILABLE|is still running/.test(answer.text)) return answer
    }
  }
  const send = (subscriber: number, n: number) => {
    const url = (apis[n % 2] as { url: string }).url
    const body = { subscriber_id: `s${subscriber}` }
    if (subscriber % 2 === 0) return sendOnce(url, { key }, ['POST', '/org/subscribers', body], `k${subscriber}`)
    const document = `mutation { createSubscriber(input: { subscriberId: "s${subscriber}" }) { subscriberId createdAt } }`
    return runOnceInGraphql(url, { key }, document, `k${subscriber}`)
  }

  for (const subscriber of times(6, (n) => n)) {
    const answers = await Promise.all(times(100, (n) => sendUntilDone(subscriber, n)))

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, answers[0]?.text).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
  }
  // The refusals of requests that waited in vain are entries, too.
  const { rows } = await pool.query(
    `select outcome::text, status, count(*)::int from audit_event
      where organization_id = $1 and coalesce(status, 0) not in (409, 503) group by outcome, status`,
    [tenant.organizationId],
  )
  expect(rows).toEqual([{ outcome: 'responded', status: 201, count: 6 }])
})
