import { randomFillSync } from 'node:crypto'
import { encodeTime, ulid } from 'ulidx'
import { currentMs } from './clock.ts'

const pool = Buffer.alloc(4096)
let used = pool.length

/** A random number in [0, 1), from a pool of random bytes: one system call for a thousand numbers. */
function random(): number {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const value = pool.readUInt32LE(used)
  used += 4
  return value / 0x1_0000_0000
}

/** Of Crockford's base 32. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeLength = 10

/** The latest time of an id, its digits, and the values of the 16 that follow. */
let lastMs = -1
let time = ''
const rest = new Uint8Array(16)

/**
 * A ULID: 26 upper-case Crockford characters, increasing within this process. Written by hand, because a write makes four of them, and
 * the library takes several times as long.
 */
export function newId(): string {
  const ms = currentMs()
  if (ms > lastMs) begin(ms)
  else increase()
  let id = time
  for (let place = 0; place < rest.length; place++) id += digits[rest[place] as number]
  return id
}

function begin(ms: number): void {
  lastMs = ms
  time = encodeTime(ms, timeLength)
  for (let place = 0; place < rest.length; place++) rest[place] = random() * 32
  // So that the ids of a millisecond never reach the highest.
  rest[0] = (rest[0] as number) & 15
}

function increase(): void {
  let place = rest.length - 1
  while (rest[place] === 31) rest[place--] = 0
  rest[place] = (rest[place] as number) + 1
}

/** The time in an id, in milliseconds. */
export function timeOf(id: string): number {
  let ms = 0
  for (let place = 0; place < timeLength; place++) ms = ms * 32 + digits.indexOf(id[place] as string)
  return ms
}

/**
 * The id of a person's account: a ULID that is not adjacent to another. Other ids of one millisecond are consecutive, so
 * anyone who knew a neighbour could guess it, add the person to an organization, and see their e-mail.
 */
export function newUserId(): string {
  return ulid(currentMs(), random)
}

/** The id of a request, shown in its answer. */
export function newRequestId(): string {
  return `req_${newId()}`
}

/** A ULID in our form, in upper case only. The first character is at most 7, because the time has 48 bits. */
export const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export function isUlid(text: string): boolean {
  return ulidPattern.test(text)
}

/** The lowest id of a moment, to express a range of time as a range of ids. */
export function firstIdAt(timeMs: number): string {
  return encodeTime(Math.max(timeMs, 0), 10) + '0'.repeat(16)
}
