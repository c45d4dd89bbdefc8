import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { deriveSigningKey, type SigningKey } from '../core/signing-key.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { createVault, masterKeyBytes, parseMasterKey, type Vault } from '../core/vault.ts'

const fileName = 'master-key'

type OpenVaultOptions = {
  pool: pg.Pool | pg.Client
  /** MASTER_KEY, decoded. Without it, the key is in a file in `dataDir`, which is created once. */
  masterKey: Uint8Array | undefined
  /** MASTER_KEY_PREVIOUS, decoded. */
  masterKeyPrevious?: Uint8Array | undefined
  dataDir: string
  /** If true, neither the file nor the fingerprint is created. */
  readOnly?: boolean
}

/** The vault with this database's key. Refuses other keys, because they could not read stored secrets. */
export async function openVault(options: OpenVaultOptions): Promise<Vault> {
  const { pool, masterKey, masterKeyPrevious, dataDir, readOnly = false } = options
  const storedFingerprint = await findFingerprint(pool)
  // Never creates a key in place of a lost one, because a new key could not read stored secrets. During a replacement, the
  // previous key reads them.
  const mayCreate = !readOnly && (storedFingerprint === null || masterKeyPrevious !== undefined)
  const vault = createVault(masterKey ?? (await loadKeyFile(dataDir, mayCreate)), masterKeyPrevious)
  const fingerprint = storedFingerprint ?? (readOnly ? null : await storeFingerprint(pool, vault))
  const what = masterKey ? 'MASTER_KEY' : `The master key in ${join(dataDir, fileName)}`
  if (fingerprint !== null) assertSameKey(fingerprint, vault, what)
  return vault
}

/** Makes a vault with a new key for a database whose key was lost. Creates the file if it does not exist. */
export async function createVaultForLostKey(options: OpenVaultOptions): Promise<Vault> {
  const { pool, masterKey, dataDir } = options
  const vault = createVault(masterKey ?? (await loadKeyFile(dataDir, true)))
  if ((await findFingerprint(pool))?.equals(vault.deriveKey('fingerprint')))
    throw new StartupError('This is the key of this database: nothing is lost.')
  return vault
}

/** The secrets from which keys are derived: MASTER_KEY, and MASTER_KEY_PREVIOUS if it is set. */
export type KeySource = Pick<Vault, 'deriveKey'> & { previous?: Pick<Vault, 'deriveKey'> }

/** The keys for the heads of audit logs. The first key signs; all of them verify, and none of them is in the database. */
export function deriveAuditKeys({ deriveKey, previous }: KeySource): readonly [SigningKey, ...SigningKey[]] {
  const others = previous ? [deriveSigningKey(previous, 'audit-head-signature')] : []
  return [deriveSigningKey({ deriveKey }, 'audit-head-signature'), ...others]
}

/** Loads the key from the file, which is created once. If several processes create it at once, all use the first one's key. */
async function loadKeyFile(dataDir: string, mayCreate: boolean): Promise<Uint8Array> {
  const path = join(dataDir, fileName)
  try {
    const text = (await readFileIfPresent(path)) ?? (mayCreate ? await makeKeyFile(dataDir, path) : null)
    if (text === null) throw new StartupError(`${path} is missing, and so is MASTER_KEY: ${lostKeyAdvice}`)
    const key = parseMasterKey(text.trim())
    if (key) return key
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The master key in ${path} cannot be read or created: ${reasonOf(error)}`)
  }
  throw new StartupError(`${path} holds no master key: ${masterKeyBytes} bytes in base64 are needed. Restore the file.`)
}

async function readFileIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * First writes the file to disk under another name, so that no process reads an incomplete file and a crash does not lose the
 * key.
 */
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

const lostKeyAdvice =
  'give the key that this database was last used with. If it is lost, `npm run master-key:rotate -- --lost` makes a new one.'

/**
 * Finds the stored fingerprint of the database's master key. It changes only when all secrets have been encrypted with a new
 * key.
 */
async function findFingerprint(pool: pg.Pool | pg.Client): Promise<Buffer | null> {
  const { rows } = await pool.query<{ fingerprint: Buffer }>('select fingerprint from master_key')
  return rows[0]?.fingerprint ?? null
}

/**
 * Stores the vault's fingerprint and returns the stored one: if several processes store theirs at once, the first one stays.
 */
async function storeFingerprint(pool: pg.Pool | pg.Client, vault: Vault): Promise<Buffer | null> {
  const fingerprint = vault.deriveKey('fingerprint')
  await pool.query('insert into master_key (fingerprint) values ($1) on conflict do nothing', [fingerprint])
  return findFingerprint(pool)
}

function assertSameKey(known: Buffer, vault: Vault, what: string): void {
  const ours = [vault.deriveKey('fingerprint'), ...(vault.previous ? [vault.previous.deriveKey('fingerprint')] : [])]
  if (ours.some((each) => known.equals(each))) return
  throw new StartupError(
    vault.previous
      ? `${what} is not the key of this database, and MASTER_KEY_PREVIOUS is not either, so its secrets cannot be read: ${lostKeyAdvice}`
      : `${what} is not the key of this database, so its secrets cannot be read: ${lostKeyAdvice} While you replace the key, set the old key as MASTER_KEY_PREVIOUS.`,
  )
}
