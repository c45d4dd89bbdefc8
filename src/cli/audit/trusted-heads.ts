import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { printNote } from '../../core/print.ts'
import { reasonOf, StartupError } from '../../core/startup-error.ts'
import type { Finding } from '../../recording/chain/chain-verifier.ts'
import {
  findSignedKind,
  fromHeadFields,
  type SignedHead,
  startKinds,
  type VerifyingKey,
} from '../../recording/chain/head.ts'

/** Reads the file that an option names. */
async function readFileOption(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new StartupError(`${option}: ${path} cannot be read: ${reasonOf(error)}`)
  }
}

/** Reads the heads in a file: an answer of the API, or lines of an export or of the service's log. Other lines are ignored. */
export async function readHeads(path: string, organization: string | null): Promise<SignedHead[]> {
  const heads = toObjects(await readFileOption('--head', path)).flatMap((each) => {
    const headsListed = each && 'heads' in each && Array.isArray(each.heads) ? each.heads : [each]
    return headsListed.flatMap((fields) => (isObject(fields) ? (fromHeadFields(fields, organization) ?? []) : []))
  })
  if (heads.length > 0) return heads
  throw new StartupError(
    `--head: ${path} has no signed head that names its organization. If the file has other heads, use --organization.`,
  )
}

/**
 * Reads the keys that verify heads, from a key set as `/.well-known/jwks.json` returns it, or from several sets, one per line.
 */
export async function readKeys(path: string): Promise<VerifyingKey[]> {
  const sets = toObjects(await readFileOption('--keys', path))
  const listed = sets.flatMap((set) => (set && 'keys' in set && Array.isArray(set.keys) ? set.keys : []))
  const keys = listed.flatMap((key) => {
    // A stored key is not enough: anyone who can write to the database could add one.
    if (!isObject(key) || !('purpose' in key) || key.purpose !== 'audit-head') return []
    const { kid, x } = key as { kid?: unknown; x?: unknown }
    if (typeof kid !== 'string' || typeof x !== 'string') return []
    return { kid, publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) }
  })
  if (keys.length > 0) return keys
  throw new StartupError(`--keys: ${path} has no key whose purpose is "audit-head".`)
}

/**
 * Returns a finding if none of these keys made the signature; null if one of them did, or without keys. Prints a note if the
 * key of earlier records was lost.
 */
export function findSignatureFault(
  kind: 'head' | 'cut',
  head: SignedHead,
  keys: readonly VerifyingKey[] | null,
): Finding | null {
  if (keys === null) return null
  const signed = findSignedKind(kind === 'cut' ? startKinds : [kind], head, keys)
  if (signed === 'lost')
    printNote(
      `${head.organizationId}: the records up to ${head.position} cannot be verified, because their key was lost.`,
    )
  if (signed !== null) return null
  return {
    kind: keys.some(({ kid }) => kid === head.kid) ? 'changed' : 'unknown key',
    position: head.position,
    id: kind,
  }
}

/** Parses the whole text as JSON, or each of its lines. */
function toObjects(text: string): (object | null)[] {
  const single = toObject(text)
  return single ? [single] : text.split('\n').map(toObject)
}

export function toObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
