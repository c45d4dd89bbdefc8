import { randomFillSync } from 'node:crypto'
import { encodeTime, monotonicFactory, ulid } from 'ulidx'
import { currentMs } from './clock.ts'

const pool = Buffer.alloc(4096)
let usedBytes = pool.length

/** A random number in [0, 1), from a pool of random bytes, so that a thousand numbers need only one system call. */
function random(): number {
  if (usedBytes >= pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  const value = pool.readUInt32LE(usedBytes)
  usedBytes += 4
  return value / 0x1_0000_0000
}

const nextUlid = monotonicFactory(random)

/** A ULID: 26 upper-case Crockford characters, increasing within this process. */
export function newId(): string {
  return nextUlid(currentMs())
}

/**
 * The id of a person's account: a random ULID. The ids of `newId` in the same millisecond are consecutive. If an account had
 * such an id, anyone who knew an adjacent id could guess it, add the person to an organization, and see their e-mail address.
 */
export function newUserId(): string {
  return ulid(currentMs(), random)
}

/** The id of a request, shown in its answer. */
export function newRequestId(): string {
  return `req_${newId()}`
}

/** A ULID in upper case. The first character is at most 7, because the time has 48 bits. */
export const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export function isUlid(text: string): boolean {
  return ulidPattern.test(text)
}

/** The lowest id of a millisecond, to express a range of time as a range of ids. */
export function firstIdAt(timeMs: number): string {
  return encodeTime(Math.max(timeMs, 0), 10) + '0'.repeat(16)
}
