import { expect, inject, it, onTestFinished } from 'vitest'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { createTenantIn } from '../support/tenants.ts'
import { isOfSlowMachine, type LogLine, startServer } from './server-process.ts'

it('an outage causes two lines in the log of a whole server, with both APIs and the worker', async () => {
  const databaseUrl = inject('databaseUrl')
  const { key } = await createTenantIn(databaseUrl)
  const proxy = await startDatabaseProxy(databaseUrl)
  onTestFinished(() => proxy.close())
  const server = await startServer({ env: { DATABASE_URL: proxy.url } })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const statusOf = async (path: string, body?: object) => {
    const method = body ? 'POST' : 'GET'
    return (await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status
  }
  const askAll = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, count) => [
        statusOf('/org/subscribers/s/entitlements'),
        statusOf('/org/features', { key: `f-${count}`, name: 'F', kind: 'flag' }),
        statusOf('/org/features'),
        statusOf('/graphql', { query: '{ features { key } }' }),
      ]).flat(),
    )
  const lines = () =>
    server
      .stdout()
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line): LogLine => JSON.parse(line))

  await expect.poll(() => statusOf('/readyz')).toBe(200)
  const before = lines().length
  proxy.refuseConnections()
  expect([...new Set(await askAll())].sort()).toEqual([503])
  await expect.poll(() => lines().length).toBeGreaterThan(before)
  await askAll()
  proxy.open()
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  await expect.poll(() => lines().map(({ msg }) => msg)).toContain('the database can be used again')

  const ofOutage = lines()
    .slice(before)
    .filter((line) => line.msg.startsWith('the database') || !isOfSlowMachine(line))
  expect(ofOutage.map(({ level, msg }) => [level, msg])).toEqual([
    [50, 'the database cannot be used: failures for this reason are not logged until it can be used again'],
    [40, 'the database can be used again'],
  ])
})
