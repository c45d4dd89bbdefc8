import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canEnter } from '../../src/database/embedded/run-as.ts'
import { administer } from '../support/administer.ts'
import { copyDataFolder } from '../support/data-folder.ts'
import { createLongPathFolder } from '../support/long-path-folder.ts'
import { testMasterKey } from '../support/master-key.ts'
import { rowsOf } from '../support/migrations.ts'
import { emptyFolder, migratedFolder, onlyLine, run, runCommand, startDatabase, startServer } from './server-process.ts'

const addressIn = (dataDir: string) => readFileSync(join(dataDir, 'database-url'), 'utf8').trim()
const socketIn = (dataDir: string) => join(dataDir, 'postgres', '.s.PGSQL.5432')
const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

describe('the address of the embedded PostgreSQL', () => {
  it('is a Unix socket in its data folder, whatever characters the path has, and no port is open', async () => {
    const dataDir = copyDataFolder(join(emptyFolder(), `a b+c%20,d"e'f&ü`))
    const { url } = await startServer({ env: { DATA_DIR: dataDir, MASTER_KEY: testMasterKey } })

    const address = addressIn(dataDir)

    expect(new URL(address).searchParams.get('host')).toBe(join(dataDir, 'postgres'))
    expect(statSync(socketIn(dataDir)).isSocket()).toBe(true)
    expect(statSync(socketIn(dataDir)).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    expect(await rowsOf(address, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await runCommand('org-create', ['--name', 'Acme'], { DATABASE_URL: address })).code).toBe(0)
  })

  it('is understood by both psql and the driver, whatever PGPORT and PGHOST are', async ({ skip }) => {
    skip(spawnSync('psql', ['--version']).error !== undefined, 'psql is not installed')
    const { url } = await startDatabase(copyDataFolder(join(emptyFolder(), 'a b+c%20ü')))
    const env = { ...process.env, PGPORT: '1', PGHOST: '127.0.0.1' }

    const { stdout, stderr } = spawnSync('psql', [url, '-Atc', 'select current_user'], { env, encoding: 'utf8' })

    expect({ stdout, stderr }).toEqual({ stdout: 'entitlements\n', stderr: '' })
  })

  it('lets API and worker processes join a whole service, even after a restart, and differs between folders', async () => {
    const [one, another] = [{ DATA_DIR: migratedFolder() }, { DATA_DIR: migratedFolder() }]
    const [whole, other] = await Promise.all([startServer({ env: one }), startServer({ env: another })])

    const worker = run({ args: ['worker'], env: one })
    const api = await startServer({ args: ['api'], env: one })

    expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200)
    await expect.poll(worker.stderr).toContain('The worker sends events')

    whole.child.kill('SIGTERM')
    await whole.ended
    await startServer({ env: one })

    const readiness = async () => (await fetch(`${api.url}/readyz`)).status
    await expect.poll(readiness).toBe(200)
  })

  it('is a port of 127.0.0.1 if the path is too long for a socket, and a socket elsewhere, even after kill -9', async () => {
    const [folder, dataDir] = [copyDataFolder(createLongPathFolder('entitlements-start')), join(emptyFolder(), 'data')]
    const onPort = await startServer({ env: { DATA_DIR: folder } })

    expect(new URL(addressIn(folder)).hostname).toBe('127.0.0.1')
    expect((await fetch(`${onPort.url}/readyz`)).status).toBe(200)
    expect((await runCommand('org-create', ['--name', 'Acme'], { DATA_DIR: folder })).code).toBe(0)

    const key = /ent_\w+/.exec(onPort.welcome)?.[0] ?? ''
    onPort.child.kill('SIGKILL')
    await onPort.ended
    renameSync(folder, dataDir)
    appendFileSync(join(dataDir, 'postgres/postgresql.conf'), `listen_addresses = '*'\nport = 1\n`)

    const { url } = await startServer({ env: { DATA_DIR: dataDir } })

    expect((await fetch(`${url}/org`, { headers: { 'X-API-Key': key } })).status).toBe(200)
    expect(await rowsOf(addressIn(dataDir), 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })
})

const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const canBeNobody = process.getuid?.() === 0 && canEnter(process.execPath, nobody)

describe('another user of the machine', () => {
  it.runIf(canBeNobody)('cannot open a connection to the embedded PostgreSQL', async () => {
    const dataDir = migratedFolder()
    const { url } = await startDatabase(dataDir)
    const program = `require('node:net').connect(process.argv[1]).on('error', ({ code }) => console.log(code)).on('connect', () => console.log('connected'))`

    const child = spawnSync(process.execPath, ['-e', program, socketIn(dataDir)], { ...nobody, encoding: 'utf8' })

    expect(child.stdout).toBe('EACCES\n')
    expect(await rowsOf(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a command that runs beside a server with the same data folder', () => {
  const orgKey = (dataDir: string) => runCommand('org-key', ['--organization', unknown], { DATA_DIR: dataDir })

  it("says why the server's database cannot be used", async () => {
    const dataDir = migratedFolder()
    const { superuserUrl } = await startDatabase(dataDir)
    const server = Object.assign(new URL(superuserUrl), { pathname: '/postgres' })

    await administer(server.href, 'alter database entitlements with allow_connections false')

    expect(onlyLine(await orgKey(dataDir))).toBe(
      `The server with process id ${process.pid} runs on ${dataDir}, but its database cannot be used: FATAL: database "entitlements" is not currently accepting connections.`,
    )
  })

  it('says to wait while the server has no database yet', async () => {
    const dataDir = migratedFolder()
    await startDatabase(dataDir)
    rmSync(join(dataDir, 'database-url'))

    expect(onlyLine(await orgKey(dataDir))).toBe(
      `The server with process id ${process.pid} runs on ${dataDir}, but is just starting or stopping: try again in a moment.`,
    )
  })
})
