import { type KeyObject, sign, verify } from 'node:crypto'
import type { SigningKey } from '../../core/signing-key.ts'

/**
 * A head is the end of a chain. A cut is the end of the links that the retention deleted. `lost` is the position where a chain
 * continues after its key was lost, so that nobody can verify the links before it.
 */
export type HeadKind = 'head' | 'cut' | 'lost'

/** The kinds of heads at which the verifiable part of a chain may begin, if it does not begin at the first entry. */
export const startKinds = ['cut', 'lost'] as const

/** A position in a chain, to be signed. The hash covers all links up to this position. */
export type Head = { organizationId: string; position: number; hash: string; signedAt: Date }

export type SignedHead = Head & { signature: string; kid: string }

/** The signed text contains the kind, so that a head's signature is not valid for a cut. */
function toText(kind: HeadKind, { organizationId, position, hash, signedAt }: Head): Buffer {
  const text = `v1.${organizationId}.${position}.${hash}.${signedAt.toISOString()}`
  return Buffer.from(kind === 'head' ? text : `${kind}.${text}`)
}

export function signHead(kind: HeadKind, head: Head, { kid, privateKey }: SigningKey): SignedHead {
  return { ...head, signature: sign(null, toText(kind, head), privateKey).toString('base64url'), kid }
}

export type VerifyingKey = { kid: string; publicKey: KeyObject }

/** Whether one of these keys signed the head as this kind. */
export function isSigned(kind: HeadKind, head: SignedHead, keys: readonly VerifyingKey[]): boolean {
  const key = keys.find(({ kid }) => kid === head.kid)
  return key !== undefined && verify(null, toText(kind, head), key.publicKey, Buffer.from(head.signature, 'base64url'))
}

/** Finds the kind of head that one of the keys signed; null if there is none. */
export function findSignedKind<Kind extends HeadKind>(
  kinds: readonly Kind[],
  head: SignedHead,
  keys: readonly VerifyingKey[],
): Kind | null {
  return kinds.find((kind) => isSigned(kind, head, keys)) ?? null
}

/** The head in the API's format, which exports and log lines also use. */
export function toHeadFields({ organizationId, position, hash, signedAt, signature, kid }: SignedHead) {
  return { organization_id: organizationId, position, hash, signed_at: signedAt.toISOString(), signature, kid }
}

/**
 * Parses a head from an export, an answer of the API (which does not name the organization) or the log; null if it is not a
 * signed head.
 */
export function fromHeadFields(fields: object, organization: string | null = null): SignedHead | null {
  const {
    organization_id: organizationId = organization,
    position,
    hash,
    signed_at: at,
    signature,
    kid,
  } = fields as Partial<Record<keyof ReturnType<typeof toHeadFields>, unknown>>
  const signedAt = new Date(String(at))
  if (typeof organizationId !== 'string' || !Number.isSafeInteger(position) || Number.isNaN(signedAt.getTime()))
    return null
  if (typeof hash !== 'string' || typeof signature !== 'string' || typeof kid !== 'string') return null
  return { organizationId, position: Number(position), hash, signedAt, signature, kid }
}
