import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { text } from '../core/fields.ts'

const deriveHash = promisify(argon2)

/** OWASP's second recommendation: 19 MiB and two passes, about 30 ms of one core. The tests set a lower cost. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

export function newPassword() {
  return text(8, 1024)
}

/** The algorithm, its cost, the salt and the hash, in the usual text format (PHC). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await deriveHash('argon2id', { message: password, nonce, tagLength, ...passwordCost })
  return formatHash(base64(nonce), base64(hash))
}

function formatHash(nonce: string, hash: string): string {
  const { memory, passes, parallelism } = passwordCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${nonce}$${hash}`
}

/** Creates a hash that no password matches. */
const createUnmatchableHash = () => formatHash('A'.repeat(22), 'A'.repeat(43))

/**
 * Whether the stored hash is that of the password. Takes as long without a stored hash, so that the time does not reveal
 * whether the account exists.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, , , parameters = '', nonce = '', hash = ''] = (stored ?? createUnmatchableHash()).split('$')
  const [memory, passes, parallelism] = parameters.split(',').map((part) => Number(part.slice(2))) as [
    number,
    number,
    number,
  ]
  const expected = Buffer.from(hash, 'base64')
  const actual = await deriveHash('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: expected.length,
    memory,
    passes,
    parallelism,
  })
  return timingSafeEqual(actual, expected) && stored !== null
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
