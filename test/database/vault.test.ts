import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createVault } from '../../src/core/vault.ts'
import { openVault } from '../../src/database/master-key.ts'

describe('a vault', () => {
  const masterKey = randomBytes(32)
  const vault = createVault(masterKey)

  it('decrypts in every process with the same master key', () => {
    const sealed = vault.encrypt('webhook-secret', 'org', 'whsec_ü')

    expect(createVault(masterKey).decrypt('webhook-secret', 'org', sealed)).toBe('whsec_ü')
    expect(createVault(masterKey).deriveKey('user-token')).toEqual(vault.deriveKey('user-token'))
  })

  it('encrypts the same text differently each time, and reveals nothing about it', () => {
    const [one, other] = [
      vault.encrypt('webhook-secret', 'org', 'secret'),
      vault.encrypt('webhook-secret', 'org', 'secret'),
    ]

    expect(one).not.toEqual(other)
    expect(Buffer.from(one).toString('latin1')).not.toContain('secret')
  })

  it('does not decrypt with another key, for another purpose, for another owner, or changed text', () => {
    const sealed = vault.encrypt('webhook-secret', 'org', 'secret')
    const changed = Uint8Array.from(sealed)
    changed[30] = (changed[30] ?? 0) ^ 1

    expect(() => createVault(randomBytes(32)).decrypt('webhook-secret', 'org', sealed)).toThrow()
    expect(() => vault.decrypt('invite-token', 'org', sealed)).toThrow()
    expect(() => vault.decrypt('webhook-secret', 'other', sealed)).toThrow()
    expect(() => vault.decrypt('webhook-secret', 'org', changed)).toThrow()
    expect(() => vault.decrypt('webhook-secret', 'org', sealed.subarray(0, 20))).toThrow()
  })

  it('derives a separate key for each purpose', () => {
    expect(vault.deriveKey('user-token')).not.toEqual(vault.deriveKey('webhook-secret'))
    expect(vault.deriveKey('user-token')).toHaveLength(32)
  })
})

describe('the master key', () => {
  const name = `vault_${process.pid}`
  const url = new URL(inject('databaseUrl'))
  const folders: string[] = []
  let pool: pg.Pool

  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: inject('databaseUrl') })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    url.pathname = `/${name}`
    pool = new pg.Pool({ connectionString: url.href })
    await pool.query('create table master_key (singleton boolean primary key default true, fingerprint bytea not null)')
  })

  afterAll(async () => {
    await pool.end()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
  })

  async function newFolder(): Promise<string> {
    await pool.query('delete from master_key')
    const folder = await mkdtemp(join(tmpdir(), 'vault-'))
    folders.push(folder)
    return join(folder, 'data')
  }

  it('is created once in the data folder, even by processes that start together, and only its owner can read it', async () => {
    const dataDir = await newFolder()

    const vaults = await Promise.all(
      Array.from({ length: 8 }, () => openVault({ pool, masterKey: undefined, dataDir })),
    )

    expect(new Set(vaults.map((vault) => vault.deriveKey('fingerprint').toString('hex'))).size).toBe(1)
    expect((await stat(join(dataDir, 'master-key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['master-key'])
    expect(Buffer.from(await readFile(join(dataDir, 'master-key'), 'utf8'), 'base64')).toHaveLength(32)
  })

  it('must be the one with which the database was first used', async () => {
    const dataDir = await newFolder()
    await openVault({ pool, masterKey: randomBytes(32), dataDir })

    await expect(openVault({ pool, masterKey: randomBytes(32), dataDir })).rejects.toThrow(/^MASTER_KEY is not the key/)
    await expect(openVault({ pool, masterKey: undefined, dataDir })).rejects.toThrow(/master-key is missing/)
    expect(existsSync(join(dataDir, 'master-key'))).toBe(false)
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'master-key'), randomBytes(32).toString('base64'))
    await expect(openVault({ pool, masterKey: undefined, dataDir })).rejects.toThrow(/master-key is not the key/)
  })

  it('must be the whole content of its file: anything else is refused without being shown', async () => {
    const dataDir = await newFolder()
    await openVault({ pool, masterKey: undefined, dataDir })
    await writeFile(join(dataDir, 'master-key'), 'half a ke')

    const opening = openVault({ pool, masterKey: undefined, dataDir })

    await expect(opening).rejects.toThrow(/holds no master key/)
    await expect(opening).rejects.not.toThrow(/half/)
  })

  it('comes from MASTER_KEY, which must be 32 bytes in base64 and is not printed when wrong', () => {
    const key = randomBytes(32)

    expect(loadConfig({ MASTER_KEY: key.toString('base64') }).masterKey).toEqual(Uint8Array.from(key))
    expect(loadConfig({}).masterKey).toBeUndefined()
    expect(() => loadConfig({ MASTER_KEY: 'c2hvcnQ=' })).toThrow(
      /^MASTER_KEY must be 32 bytes in base64[\s\S]*output of `openssl rand -base64 32`, but is something else\.$/,
    )
  })

  it('is required with DATABASE_URL in production', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://localhost/x' }

    expect(() => loadConfig(production)).toThrow(/^MASTER_KEY is required/)
    expect(loadConfig({ ...production, MASTER_KEY: randomBytes(32).toString('base64') }).production).toBe(true)
    expect(loadConfig({ NODE_ENV: 'production', EMBEDDED_DATABASE: 'true' }).masterKey).toBeUndefined()
  })
})
