import { describe, expect, it } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { createEmptyDatabase, createOwnDatabase } from '../support/own-database.ts'
import { onlyLine, run, runCommand } from './server-process.ts'

async function readinessAt(url: string): Promise<unknown> {
  try {
    const answer = await fetch(`${url}/readyz`)
    return [answer.status, (await answer.json()).status]
  } catch {
    return 'nobody listens'
  }
}

describe('npm run migrate', () => {
  it('lets processes with MIGRATE=false start; they wait for it, and log that they wait', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const [PORT, WORKER_PORT] = [`${await findFreePort()}`, `${await findFreePort()}`]
    const env = { DATABASE_URL, MIGRATE: 'false', LOG_LEVEL: 'info', PORT, WORKER_PORT }
    const [api, worker] = [`http://127.0.0.1:${PORT}`, `http://127.0.0.1:${WORKER_PORT}`]
    const halves = [run({ args: ['api'], env }), run({ args: ['worker'], env })]

    for (const url of [api, worker]) await expect.poll(() => readinessAt(url)).toEqual([503, 'unmigrated'])
    expect((await fetch(`${api}/healthz`)).status).toBe(200)
    const refused = await fetch(`${api}/org`)
    expect([refused.status, (await refused.json()).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('x-request-id')).toMatch(/^req_/)
    for (const { stdout } of halves) {
      await expect.poll(stdout).toContain('waiting until npm run migrate')
      expect(stdout()).not.toMatch(/_init/)
    }

    const migrated = await runCommand('migrate', [], { DATABASE_URL })

    expect(migrated).toMatchObject({ code: 0, stderr: '' })
    expect(migrated.stdout).toMatch(/^Applied \d+_init\n(Applied \w+\n)+The database is up to date\.\n$/)
    for (const url of [api, worker]) await expect.poll(() => readinessAt(url)).toEqual([200, 'ready'])
    for (const { child, ended } of halves) {
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ code: 0 })
    }
  })

  it('changes nothing the second time, and prints one line if it cannot migrate', async () => {
    const DATABASE_URL = await createOwnDatabase()

    expect(await runCommand('migrate', [], { DATABASE_URL })).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: '',
    })
    expect(onlyLine(await runCommand('migrate', ['now'], { DATABASE_URL }))).toMatch(
      /^Too many arguments\. .* More: entitlements-service migrate --help$/,
    )
    expect(onlyLine(await runCommand('migrate', [], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }))).toMatch(
      /^Cannot use the database of DATABASE_URL/,
    )
  })
})

describe('with MIGRATE=false', () => {
  it('a waiting process stops at once on SIGTERM, and a command refuses to run', async () => {
    const env = { DATABASE_URL: await createEmptyDatabase(), MIGRATE: 'false', LOG_LEVEL: 'info' }
    const { child, stdout, ended } = run({ args: ['api'], env })
    await expect.poll(stdout).toContain('waiting until npm run migrate')

    child.kill('SIGTERM')

    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(onlyLine(await runCommand('org-create', ['--name', 'Acme'], env))).toMatch(
      /^The database has no tables of the service yet: .*`npm run migrate`/,
    )
  })
})
