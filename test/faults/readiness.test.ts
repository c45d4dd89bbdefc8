import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { administer } from '../support/administer.ts'
import { createOwnDatabase } from '../support/own-database.ts'
import { startService, type TestService } from '../support/service.ts'

async function readinessOf({ url }: TestService): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`)
  return [answer.status, (await answer.json()).status]
}

/** A separate disk of this size, if this user may mount one; otherwise null. */
function mountDisk(megabytes: number): string | null {
  const folder = join(tmpdir(), `entitlements-disk-${process.pid}`)
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

describe('/readyz', () => {
  it('is 503 while the database is read-only, like a standby before its promotion', async () => {
    const url = await createOwnDatabase()
    const service = await startService({ DATABASE_URL: url })
    const admin = await service.organization()
    const name = new URL(url).pathname.slice(1)
    const server = inject('databaseUrl')
    const setReadOnly = async (to: 'on' | 'off') => {
      await administer(server, `alter database ${name} set default_transaction_read_only = ${to}`)
      await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    }
    expect(await readinessOf(service)).toEqual([200, 'ready'])

    await setReadOnly('on')
    await expect.poll(() => readinessOf(service)).toEqual([503, 'read_only'])
    const refused = await admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })

    await setReadOnly('off')
    await expect.poll(() => readinessOf(service)).toEqual([200, 'ready'])
    expect(await admin.rest('POST', '/org/features', { key: 'x', name: 'X', kind: 'flag' })).toMatchObject({
      status: 201,
    })
  })

  it("is 503 while the database's disk is full", { timeout: 120_000 }, async ({ skip }) => {
    const disk = mountDisk(400)
    if (disk === null) return skip('this user may not mount a disk')
    const postgres = await startEmbeddedPostgres({ dataDir: join(disk, 'data'), log: () => {} })
    onTestFinished(() => postgres.stop())
    await migrate({ url: postgres.url })
    const service = await startService({ DATABASE_URL: postgres.url })
    expect(await readinessOf(service)).toEqual([200, 'ready'])

    const filler = join(disk, 'filler')
    expect(() => writeFileSync(filler, Buffer.alloc(400 * 1024 * 1024))).toThrow('ENOSPC')
    await expect.poll(() => readinessOf(service)).toEqual([503, 'unavailable'])

    rmSync(filler)
    await expect.poll(() => readinessOf(service)).toEqual([200, 'ready'])
  })
})
