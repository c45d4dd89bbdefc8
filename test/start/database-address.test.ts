import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { canEnter } from '../../src/database/embedded/run-as.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { administer } from '../support/administer.ts'
import { atEnd } from '../support/at-end.ts'
import { testMasterKey } from '../support/master-key.ts'
import { makeTcpFolder } from '../support/tcp-folder.ts'
import { onlyLine, postmasterPid, run, runCommand, startServer, temporaryFolder } from './server-process.ts'

const addressIn = (dataDir: string) => readFileSync(join(dataDir, 'database-url'), 'utf8').trim()
const socketIn = (dataDir: string) => join(dataDir, 'postgres', '.s.PGSQL.5432')
const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

async function valueAt(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Object.values((await client.query(sql)).rows[0])[0]
  } finally {
    await client.end()
  }
}

describe('the address of the embedded PostgreSQL', () => {
  it('is a Unix socket in its data folder, whatever characters the path has, and no port is open', async () => {
    const dataDir = join(temporaryFolder(), `a b+c%20,d"e'f&ü`)
    const { url } = await startServer({ env: { DATA_DIR: dataDir, MASTER_KEY: testMasterKey } })

    const address = addressIn(dataDir)

    expect(new URL(address).searchParams.get('host')).toBe(join(dataDir, 'postgres'))
    expect(statSync(socketIn(dataDir)).isSocket()).toBe(true)
    expect(statSync(socketIn(dataDir)).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    expect(await valueAt(address, 'show listen_addresses')).toBe('')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await runCommand('org-create', ['--name', 'Acme'], { DATABASE_URL: address })).code).toBe(0)
  })

  it('is understood by both psql and the driver, whatever PGPORT and PGHOST are', async ({ skip }) => {
    skip(spawnSync('psql', ['--version']).error !== undefined, 'psql is not installed')
    const dataDir = join(temporaryFolder(), 'a b+c%20ü')
    const { url, stop } = await startEmbeddedPostgres({ dataDir, log: () => {} })
    atEnd(stop)
    const env = { ...process.env, PGPORT: '1', PGHOST: '127.0.0.1' }

    const { stdout, stderr } = spawnSync('psql', [url, '-Atc', 'select current_user'], { env, encoding: 'utf8' })

    expect({ stdout, stderr }).toEqual({ stdout: 'entitlements\n', stderr: '' })
  })

  it('serves halves beside the whole service, even after its restart, and two services on two folders', async () => {
    const [one, another] = [{ DATA_DIR: temporaryFolder() }, { DATA_DIR: temporaryFolder() }]
    const whole = await startServer({ env: one })
    const { url } = await startServer({ env: another })

    const worker = run({ args: ['worker'], env: one })
    const api = await startServer({ args: ['api'], env: one })

    expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await expect.poll(worker.stderr).toContain('The worker sends events')

    whole.child.kill('SIGTERM')
    await whole.ended
    await startServer({ env: one })

    const readiness = async () => (await fetch(`${api.url}/readyz`)).status
    await expect.poll(readiness).toBe(200)
  })

  it('is a port of 127.0.0.1 if the path is too long for a socket', async () => {
    const dataDir = makeTcpFolder('entitlements-start')
    atEnd(() => rmSync(dataDir, { recursive: true }))

    const { url } = await startServer({ env: { DATA_DIR: dataDir } })

    expect(new URL(addressIn(dataDir)).hostname).toBe('127.0.0.1')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await runCommand('org-create', ['--name', 'Acme'], { DATA_DIR: dataDir })).code).toBe(0)
  })

  it('is a socket for data that was served at a port before, even by a server that was killed', async () => {
    const [folder, dataDir] = [makeTcpFolder('entitlements-start'), join(temporaryFolder(), 'data')]
    const killed = await startServer({ env: { DATA_DIR: folder } })
    const key = /ent_\w+/.exec(killed.welcome)?.[0] ?? ''
    killed.child.kill('SIGKILL')
    await killed.ended
    renameSync(folder, dataDir)
    appendFileSync(join(dataDir, 'postgres/postgresql.conf'), `listen_addresses = '*'\nport = 1\n`)

    const { url } = await startServer({ env: { DATA_DIR: dataDir } })

    expect((await fetch(`${url}/org`, { headers: { 'X-API-Key': key } })).status).toBe(200)
    expect(await valueAt(addressIn(dataDir), 'show listen_addresses')).toBe('')
  })

  it("is usable again even if a killed server left its socket, and a lock with another process's id", async () => {
    const dataDir = temporaryFolder()
    const killed = await startServer({ env: { DATA_DIR: dataDir } })
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(existsSync(socketIn(dataDir))).toBe(true)
    writeFileSync(`${socketIn(dataDir)}.lock`, `${process.pid}\n${join(dataDir, 'postgres')}\n`)

    const { url } = await startServer({ env: { DATA_DIR: dataDir } })

    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const canBeNobody = process.getuid?.() === 0 && canEnter(process.execPath, nobody)

describe('another user of the machine', () => {
  it.runIf(canBeNobody)('cannot open a connection to the embedded PostgreSQL', async () => {
    const dataDir = temporaryFolder()
    const { url } = await startServer({ env: { DATA_DIR: dataDir } })
    const program = `require('node:net').connect(process.argv[1]).on('error', ({ code }) => console.log(code)).on('connect', () => console.log('connected'))`

    const child = spawnSync(process.execPath, ['-e', program, socketIn(dataDir)], { ...nobody, encoding: 'utf8' })

    expect(child.stdout).toBe('EACCES\n')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

describe('a command next to a server', () => {
  const orgKey = (dataDir: string) => runCommand('org-key', ['--organization', unknown], { DATA_DIR: dataDir })

  it("says why the server's database cannot be used", async () => {
    const dataDir = temporaryFolder()
    const { child } = await startServer({ env: { DATA_DIR: dataDir } })
    const superuser = new URL(addressIn(dataDir))
    superuser.username = 'postgres'
    superuser.password = readFileSync(join(dataDir, 'postgres/superuser-password'), 'utf8')
    superuser.pathname = '/postgres'

    await administer(superuser.href, 'alter database entitlements with allow_connections false')

    expect(onlyLine(await orgKey(dataDir))).toBe(
      `The server with process id ${child.pid} runs on ${dataDir}, but its database cannot be used: FATAL: database "entitlements" is not currently accepting connections.`,
    )
  })

  it('says to wait while the server has no database yet', async () => {
    const dataDir = temporaryFolder()
    const { child } = await startServer({ env: { DATA_DIR: dataDir } })
    rmSync(join(dataDir, 'database-url'))

    expect(onlyLine(await orgKey(dataDir))).toBe(
      `The server with process id ${child.pid} runs on ${dataDir}, but is just starting or stopping: try again in a moment.`,
    )
  })
})
