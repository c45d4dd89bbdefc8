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
  /** MASTER_KEY, decoded; without it the key is a file under `dataDir`, created once. */
  masterKey: Uint8Array | undefined
  /** MASTER_KEY_PREVIOUS, decoded. */
  masterKeyPrevious?: Uint8Array | undefined
  dataDir: string
  /** Whether neither the file nor the fingerprint may be created. */
  readOnly?: boolean
}

/** The vault with this database's key. Refuses other keys, because they could not read stored secrets. */
export async function openVault(options: OpenVaultOptions): Promise<Vault> {
  const { pool, masterKey, masterKeyPrevious, dataDir, readOnly = false } = options
  const known = await findFingerprint(pool)
  // A new key instead of a lost one could read nothing. While the key is being replaced, the previous one reads.
  const mayCreate = !readOnly && (known === null || masterKeyPrevious !== undefined)
  const vault = createVault(masterKey ?? (await loadKeyFile(dataDir, mayCreate)), masterKeyPrevious)
  const fingerprint = known ?? (readOnly ? null : await storeFingerprint(pool, vault))
  const what = masterKey ? 'MASTER_KEY' : `The master key in ${join(dataDir, fileName)}`
  if (fingerprint !== null) assertSameKey(fingerprint, vault, what)
  return vault
}

/** A vault with a key that is not the database's, whose own key was lost. Creates the file on first use. */
export async function createVaultForLostKey(options: OpenVaultOptions): Promise<Vault> {
  const { pool, masterKey, dataDir } = options
  const vault = createVault(masterKey ?? (await loadKeyFile(dataDir, true)))
  if ((await findFingerprint(pool))?.equals(vault.deriveKey('fingerprint')))
    throw new StartupError('This is the key of this database: nothing is lost.')
  return vault
}

/** The secrets that keys are derived from: MASTER_KEY, and MASTER_KEY_PREVIOUS if it is set. */
export type KeySource = Pick<Vault, 'deriveKey'> & { previous?: Pick<Vault, 'deriveKey'> }

/** The keys for the heads of audit logs. The first one signs; all of them verify, and none of them is in the database. */
export function deriveAuditKeys({ deriveKey, previous }: KeySource): readonly [SigningKey, ...SigningKey[]] {
  const others = previous ? [deriveSigningKey(previous, 'audit-head-signature')] : []
  return [deriveSigningKey({ deriveKey }, 'audit-head-signature'), ...others]
}

/** The key in the file, created on first use. If several processes create it at once, all read the key of the first. */
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

const lostKeyAdvice =
  'give the key that this database was last used with. If it is lost, `npm run master-key:rotate -- --lost` makes a new one.'

/** The fingerprint of the first key that the database was used with, and of the new one once all is encrypted with it. */
async function findFingerprint(pool: pg.Pool | pg.Client): Promise<Buffer | null> {
  const { rows } = await pool.query<{ fingerprint: Buffer }>('select fingerprint from master_key')
  return rows[0]?.fingerprint ?? null
}

/** If several processes store theirs at once, the first one counts. */
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
      : `${what} is not the key of this database, so its secrets cannot be read: ${lostKeyAdvice} While you replace it, set the other key as MASTER_KEY_PREVIOUS.`,
  )
}
