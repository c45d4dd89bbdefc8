import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { deriveSigningKey, type SigningKey } from '../core/signing-key.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { createVault, masterKeyBytes, parseMasterKey, type Vault } from '../core/vault.ts'

const fileName = 'master-key'

type OpenVaultOptions = {
  pool: pg.Pool
  /** MASTER_KEY, decoded; without it the key is a file under `dataDir`, created once. */
  masterKey: Uint8Array | undefined
  /** MASTER_KEY_PREVIOUS, decoded. */
  masterKeyPrevious?: Uint8Array | undefined
  dataDir: string
}

/** The vault with this database's key. Refuses other keys, because they could not read stored secrets. */
export async function openVault({ pool, masterKey, masterKeyPrevious, dataDir }: OpenVaultOptions): Promise<Vault> {
  const vault = createVault(masterKey ?? (await loadKeyFile(dataDir)), masterKeyPrevious)
  await assertSameKey(pool, vault, masterKey ? 'MASTER_KEY' : `The master key in ${join(dataDir, fileName)}`)
  return vault
}

/** What keys are derived from: MASTER_KEY, and MASTER_KEY_PREVIOUS if it is set. */
export type KeySource = Pick<Vault, 'deriveKey'> & { previous?: Pick<Vault, 'deriveKey'> }

/** The keys for the heads of audit logs. The first one signs; all of them verify, and none of them is in the database. */
export function deriveAuditKeys({ deriveKey, previous }: KeySource): readonly [SigningKey, ...SigningKey[]] {
  const others = previous ? [deriveSigningKey(previous, 'audit-head-signature')] : []
  return [deriveSigningKey({ deriveKey }, 'audit-head-signature'), ...others]
}

/** The key in the file, created on first use. If several processes create it at once, all read the key of the first. */
async function loadKeyFile(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, fileName)
  try {
    const text = (await readIfThere(path)) ?? (await makeKeyFile(dataDir, path))
    const key = parseMasterKey(text.trim())
    if (key) return key
  } catch (error) {
    throw new StartupError(`The master key in ${path} cannot be read or created: ${reasonOf(error)}`)
  }
  throw new StartupError(`${path} holds no master key: ${masterKeyBytes} bytes in base64 are needed. Restore the file.`)
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes the file to disk under another name first, so that no process reads half of it and a crash loses nothing. */
async function makeKeyFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(masterKeyBytes).toString('base64')}\n`)
    await file.sync()
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await file.close()
    await rm(draft)
  }
  return readFile(path, 'utf8')
}

/** The database stores the fingerprint of the first key that it saw, and of the new one once all is encrypted with it. */
async function assertSameKey(pool: pg.Pool, vault: Vault, what: string): Promise<void> {
  const fingerprint = vault.deriveKey('fingerprint')
  await pool.query('insert into master_key (fingerprint) values ($1) on conflict do nothing', [fingerprint])
  const { rows } = await pool.query<{ fingerprint: Buffer }>('select fingerprint from master_key')
  const known = [fingerprint, ...(vault.previous ? [vault.previous.deriveKey('fingerprint')] : [])]
  if (known.some((each) => rows[0]?.fingerprint.equals(each))) return
  throw new StartupError(
    vault.previous
      ? `${what} is not the key of this database, and MASTER_KEY_PREVIOUS is not either, so its secrets cannot be read. One of them must be the key that it was last used with.`
      : `${what} is not the key of this database, so its secrets cannot be read. Use the original key, or while you replace it, set the other key as MASTER_KEY_PREVIOUS.`,
  )
}
