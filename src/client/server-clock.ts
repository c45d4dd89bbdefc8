import type { Environment, FetchAnswer } from './platform.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** How far a service process's estimate of its database's time may be off. */
const marginMs = 5

/**
 * The time of the service's database. The id of each request begins with that time, in milliseconds. The machine's own clock
 * may be wrong by hours.
 */
export class ServerClock {
  readonly #environment: Environment
  /** An upper bound of the server's time minus the environment's: the server read its clock after the request was sent. */
  #maxOffsetMs: number | null = null

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Records and returns the server's time in an answer; null if the answer has none. `sentAt`: when the request was sent. */
  recordServerTime(headers: FetchAnswer['headers'], sentAt: number): number | null {
    const ms = timeOfRequestId(headers.get('x-request-id') ?? '')
    if (ms !== null) this.#maxOffsetMs = ms - sentAt
    return ms
  }

  /** The earliest time, by the environment's clock, at which the server's clock may reach `ms`. */
  earliestTimeOf(ms: number): number {
    return ms - marginMs - (this.#maxOffsetMs ?? Date.now() - this.#environment.now())
  }

  /** The latest time that the server's clock may show now. */
  now(): number {
    return this.#maxOffsetMs === null ? Date.now() : this.#environment.now() + this.#maxOffsetMs
  }
}

/** The time in an id such as `req_01M801WX0NF27XT3RTBZECKSN6`, in milliseconds, or null. */
export function timeOfRequestId(requestId: string): number | null {
  const [, digits] = /^req_([0-7][0-9A-HJKMNP-TV-Z]{9})/.exec(requestId) ?? []
  if (digits === undefined) return null
  return Array.from(digits).reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0)
}
