import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { rowsOf } from '../support/migrations.ts'
import {
  emptyFolder,
  migratedFolder,
  onlyLine,
  postgresProcesses,
  postmasterPid,
  run,
  runCommand,
  startDatabase,
  startServer,
} from './server-process.ts'

const keyPattern = /ent_[0-9A-Za-z]{49}/
const invitePattern = /inv_[0-9A-Za-z]{49}/
const password = 'correct horse'

async function post(url: string, path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}

async function signUp(url: string, email: string): Promise<string> {
  return String((await post(url, '/user/sign-up', { email, password, display_name: 'Ada' })).token)
}

async function statusOf(url: string, key: string, method = 'GET'): Promise<number> {
  return (await fetch(url, { method, headers: { 'X-API-Key': key } })).status
}

describe('a start on an empty data folder', () => {
  it('prints a key and an invite once, with a command that works as pasted, and leaves no PostgreSQL running', async () => {
    const dataDir = emptyFolder()
    const env = { DATA_DIR: dataDir }

    const first = await startServer({ env })
    const key = keyPattern.exec(first.welcome)?.[0] ?? ''
    const invite = invitePattern.exec(first.welcome)?.[0] ?? ''
    const curl = /curl[\s\S]*?-d '.*'/.exec(first.welcome)?.[0] ?? ''
    const pasted = await promisify(execFile)('bash', ['-c', `${curl} --silent`])

    expect(JSON.parse(pasted.stdout)).toMatchObject({ key: 'sso', kind: 'flag' })
    expect(await statusOf(`${first.url}/org/features/sso`, key)).toBe(200)
    const token = await signUp(first.url, 'ada@example.org')
    expect(await post(first.url, '/user/organizations/join', { invite }, token)).toMatchObject({ role: 'admin' })
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    expect(statSync(join(dataDir, 'database-url')).mode & 0o777).toBe(0o600)

    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' })
    expect(postgresProcesses(dataDir)).toEqual([])
    expect(readdirSync(dataDir).sort()).toEqual(expect.not.arrayContaining(['database-url', 'lock']))

    const second = await startServer({ env })
    expect(second.welcome).not.toMatch(keyPattern)
    expect(second.welcome).not.toMatch(invitePattern)
    expect(await statusOf(`${second.url}/org/features/sso`, key)).toBe(200)
  })

  it('refuses a second server on the same folder with one line', async () => {
    const dataDir = migratedFolder()
    const { url } = await startDatabase(dataDir)

    const second = await run({ env: { DATA_DIR: dataDir } }).ended

    expect(onlyLine(second)).toBe(
      `The data folder ${dataDir} is in use by the server with process id ${process.pid}: stop that server, or set DATA_DIR to another folder.`,
    )
    expect(await rowsOf(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a start after kill -9', () => {
  it('stops the orphaned PostgreSQL, or recovers if it has ended too, and keeps all data that was written', async () => {
    const dataDir = migratedFolder()
    const env = { DATA_DIR: dataDir }
    const first = await startServer({ env })
    const key = keyPattern.exec(first.welcome)?.[0] ?? ''
    const orphan = postmasterPid(dataDir)
    first.child.kill('SIGKILL')
    await first.ended
    expect(postgresProcesses(dataDir)).toContain(orphan)

    const second = await startServer({ env })

    expect(postmasterPid(dataDir)).not.toBe(orphan)
    expect(postgresProcesses(dataDir)).not.toContain(orphan)
    expect(await statusOf(`${second.url}/org`, key)).toBe(200)

    // PostgreSQL is killed too, its socket stays, and all ids in lock files belong to another process by now.
    const folder = join(dataDir, 'postgres')
    const socket = join(folder, '.s.PGSQL.5432')
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    second.child.kill('SIGKILL')
    await second.ended
    expect(existsSync(socket)).toBe(true)
    for (const file of [join(folder, 'postmaster.pid'), `${socket}.lock`])
      writeFileSync(file, `${process.pid}\n${folder}\n`)
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: process.pid, startTime: 'another time' }))

    const { url } = await startServer({ env })

    expect(await statusOf(`${url}/org`, key)).toBe(200)
  })
})

describe('commands', async () => {
  const env = { DATA_DIR: migratedFolder() }
  const { url } = await startServer({ env })

  it('create organizations and keys next to a running server, and set limits that apply at once', async () => {
    const created = JSON.parse((await runCommand('org-create', ['--name', 'Acme', '--json'], env)).stdout)
    expect(Object.keys(created)).toEqual([
      'organization_id',
      'service_account_id',
      'member_id',
      'api_key',
      'invite_link',
    ])
    expect(await statusOf(`${url}/org`, created.api_key)).toBe(200)
    const { invite_link: inviteLink, ...admin } = created
    const token = await signUp(url, 'grace@example.org')
    const joined = await post(url, '/user/organizations/join', { invite: invitePattern.exec(inviteLink)?.[0] }, token)
    expect(joined).toMatchObject({ organization_id: created.organization_id, name: 'Acme', role: 'admin' })

    const organization = ['--organization', created.organization_id]
    const renewed = JSON.parse((await runCommand('org-key', [...organization, '--json'], env)).stdout)
    expect(renewed).toEqual({ ...admin, api_key: expect.stringMatching(keyPattern) })
    expect(await statusOf(`${url}/org`, renewed.api_key)).toBe(200)
    expect(await statusOf(`${url}/org`, created.api_key)).toBe(200)

    const limits = await runCommand('org-limits', [...organization, '--allotment', 'unlimited', '--rate', '7'], env)
    expect(limits.stdout).toBe(
      '  a month    unlimited\n  a second   7 evals\n  stored     unlimited (the default of the server)\n',
    )
    const stored = await runCommand('org-limits', [...organization, '--stored', '5000', '--json'], env)
    expect(JSON.parse(stored.stdout)).toEqual({ allotment: null, rate: 7, stored: 5000 })
    const again = await runCommand('org-limits', [...organization, '--json'], env)
    expect(JSON.parse(again.stdout)).toEqual({ allotment: null, rate: 7, stored: 5000 })

    const usage = async (...options: string[]) => (await runCommand('org-usage', options, env)).stdout
    expect(JSON.parse(await usage(...organization, '--json'))).toEqual({
      organization_id: created.organization_id,
      bytes: null,
      at: null,
    })
    expect(await usage(...organization)).toContain(`${created.organization_id}  not counted yet`)
  })

  it('give a person a new password, and end the sessions opened with the old one', async () => {
    const token = await signUp(url, 'Ada@example.org')

    const reset = JSON.parse(
      (await runCommand('user-reset-password', ['--email', 'ada@example.org', '--json'], env)).stdout,
    )

    expect(reset).toEqual({ user_id: expect.any(String), password: expect.stringMatching(/^\w{20}$/) })
    expect((await fetch(`${url}/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
    const account = { email: 'ada@example.org', password: reset.password }
    expect(await post(url, '/user/sign-in', account)).toMatchObject({ user_id: reset.user_id })
    expect(await post(url, '/user/sign-in', { ...account, password })).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    })
    const unknown = await runCommand('user-reset-password', ['--email', 'nobody@example.org'], env)
    expect(onlyLine(unknown)).toBe('There is no account with the e-mail "nobody@example.org".')
  })

  it('work without a server, and leave no PostgreSQL running', async () => {
    const dataDir = migratedFolder()

    const { code, stdout } = await runCommand('org-create', ['--name', 'Acme'], { DATA_DIR: dataDir })

    expect({ code, key: keyPattern.test(stdout) }).toEqual({ code: 0, key: true })
    expect(postgresProcesses(dataDir)).toEqual([])
    expect(existsSync(join(dataDir, 'database-url'))).toBe(false)
  })
})
