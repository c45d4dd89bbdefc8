import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { logLines, startServer } from '../../start/server-process.ts'
import { administer } from '../../support/administer.ts'
import { copyDataFolder } from '../../support/data-folder.ts'
import { waitIfNearMidnight } from '../../support/far-from-midnight.ts'
import { createOwnDatabase } from '../../support/own-database.ts'
import { callerOf, startService } from '../../support/service.ts'
import { mountDisk } from '../../support/small-disk.ts'
import { createTenantIn } from '../../support/tenants.ts'

async function readinessOf({ url }: { url: string }, query = ''): Promise<unknown> {
  const answer = await fetch(`${url}/readyz${query}`)
  return [answer.status, (await answer.json()).status]
}

describe('/readyz', () => {
  it('stays 200 while the database is read-only, because evals are answered, and says that writes are refused', async () => {
    const url = await createOwnDatabase()
    const service = await startService({ DATABASE_URL: url })
    const admin = await service.organization()
    const name = new URL(url).pathname.slice(1)
    const server = inject('databaseUrl')
    await waitIfNearMidnight()
    const setReadOnly = async (to: 'on' | 'off') => {
      await administer(server, `alter database ${name} set default_transaction_read_only = ${to}`)
      await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    }
    await admin.rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await admin.rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })
    const usage = async () => (await admin.rest('GET', '/org/eval-usage')).body.used
    const check = () => admin.rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'f' })
    expect(await readinessOf(service)).toEqual([200, 'ready'])

    await setReadOnly('on')
    await expect.poll(() => readinessOf(service)).toEqual([200, 'degraded'])
    expect(await readinessOf(service, '?writes=true')).toEqual([503, 'degraded'])
    expect((await check()).status).toBe(200)
    expect(await admin.rest('GET', '/org/subscribers/ann/entitlements')).toMatchObject({ status: 200 })
    expect(await usage()).toBe(0)
    const refused = await admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })

    await setReadOnly('off')
    await expect.poll(() => readinessOf(service, '?writes=true')).toEqual([200, 'ready'])
    await expect.poll(usage).toBe(2)
    expect(await admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })).toMatchObject({
      status: 201,
    })
  })

  it('stays 200 on a full disk, because evals are answered, says that writes are refused, and logs two lines', async ({
    skip,
  }) => {
    const disk = mountDisk(400)
    if (disk === null) return skip('this user may not mount a disk')
    onTestFinished(disk.unmount)
    const dataDir = copyDataFolder(join(disk.folder, 'data'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
    onTestFinished(() => postgres.stop())
    const env = { DATABASE_URL: postgres.url, EVAL_RATE_LIMIT_PER_SECOND: '100000' }
    const { organizationId, key } = await createTenantIn(postgres.url)
    const server = await startServer({ env })
    const { rest } = callerOf(server.url, { organizationId, memberId: '', key })
    await rest('POST', '/org/subscribers', { subscriber_id: 'ann' })
    await rest('POST', '/org/features', { key: 'f', name: 'F', kind: 'flag' })
    const check = () => rest('POST', '/org/subscribers/ann/entitlements/check', { feature: 'f' })
    let written = 0
    const write = () => rest('POST', '/org/features', { key: `f-${written++}`, name: 'F', kind: 'flag' })
    expect(await readinessOf(server)).toEqual([200, 'ready'])

    disk.fill()
    // Some writes still find space in existing pages.
    await expect.poll(async () => (await write()).status).toBe(503)
    await expect.poll(() => readinessOf(server)).toEqual([200, 'degraded'])
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => [(await write()).status, (await check()).status]),
    )

    expect(answers.filter(([ofWrite]) => ofWrite === 503).length).toBeGreaterThan(50)
    expect(new Set(answers.map(([, ofEval]) => ofEval))).toEqual(new Set([200]))
    expect(await readinessOf(server, '?writes=true')).toEqual([503, 'degraded'])
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'degraded', writes: false })

    disk.clear()
    await expect.poll(() => readinessOf(server, '?writes=true')).toEqual([200, 'ready'])
    await expect.poll(async () => (await write()).status).toBe(201)
    const lines = () => logLines(server).map(({ msg }) => msg)
    await expect.poll(lines).toContain('the database can be used again')
    expect(lines()).toEqual([expect.stringContaining('takes no writes, because its disk is full'), lines().at(-1)])
  })
})
