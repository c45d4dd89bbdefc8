import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { text } from '../core/fields.ts'

const derive = promisify(argon2)

/** OWASP's second recommendation: 19 MiB and two passes, about 30 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

export function newPassword() {
  return text(8, 1024)
}

/** The algorithm, its cost, the salt and the hash, in the usual text form (PHC). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await derive('argon2id', { message: password, nonce, tagLength, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(hash)}`
}

/** No password has this hash. */
const nobodys = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Takes the same time without a stored hash, so that the time does not reveal whether the account exists. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, , , parameters = '', nonce = '', hash = ''] = (stored ?? nobodys).split('$')
  const [memory, passes, parallelism] = parameters.split(',').map((part) => Number(part.slice(2))) as [
    number,
    number,
    number,
  ]
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive('argon2id', {
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
