import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What handing over one piece of a body costs the parser is the unit of an account: about 1.5 µs. */
const earnedPerMs = 40
/** An address that was quiet may spend this at once. */
const mostSaved = 10_000
/** Bytes that cost about as much as one piece. */
const bytesOfUnit = 4096
/** A request that is parsed although nobody will answer it. */
const unitsOfRequest = 15
/** New connections of an address that wait until it has rested; more are closed. */
const mostArrivals = 100
/** The least time for which an address rests: otherwise each piece would set a timer. */
const leastRestMs = 20

type Body = { request: IncomingMessage; onResume: () => void }

/** What an address may still spend, its bodies on their way, and its connections that were not read yet. */
class Account {
  readonly #bodies = new Set<Body>()
  readonly #arrivals: Socket[] = []
  #left = mostSaved
  #countedAt = performance.now()
  #resting: NodeJS.Timeout | null = null

  get isResting(): boolean {
    return this.#resting !== null
  }

  get isIdle(): boolean {
    return this.#bodies.size === 0 && this.#arrivals.length === 0 && !this.isResting && this.#refill() === mostSaved
  }

  charge(units: number): void {
    this.#left -= units
    if (this.#left > 0 || this.#resting || this.#refill() > 0) return
    for (const { request } of this.#bodies) request.socket.pause()
    this.#rest()
  }

  /** While the address rests, a new connection is not read; afterwards they are read one after another. */
  arrive(socket: Socket): void {
    if (!this.#resting && this.#arrivals.length === 0) return
    if (this.#arrivals.length >= mostArrivals) return void socket.destroy()
    this.#arrivals.push(socket)
    // Node begins to read in the next tick, which would end a pause.
    process.nextTick(() => socket.pause())
  }

  addBody(request: IncomingMessage): Body {
    const { socket } = request
    // Node resumes a connection whenever somebody reads from a body.
    const onResume = () => {
      if (this.#resting) socket.pause()
    }
    const body = { request, onResume }
    this.#bodies.add(body)
    socket.on('resume', onResume)
    onResume()
    return body
  }

  removeBody(body: Body): void {
    if (!this.#bodies.delete(body)) return
    const { socket } = body.request
    socket.off('resume', body.onResume)
    if (this.#resting) socket.resume()
  }

  #refill(): number {
    const now = performance.now()
    this.#left = Math.min(mostSaved, this.#left + (now - this.#countedAt) * earnedPerMs)
    this.#countedAt = now
    return this.#left
  }

  #rest(): void {
    const ms = Math.max(leastRestMs, -this.#left / earnedPerMs)
    this.#resting = setTimeout(() => {
      this.#resting = null
      if (this.#refill() <= 0) return this.#rest()
      for (const { request } of this.#bodies) {
        // A body that nobody reads continues when it is read.
        if (request.readableLength < request.readableHighWaterMark) request.socket.resume()
      }
      this.#admit()
    }, ms).unref()
  }

  /** Lets the next connection be read, and those behind it as long as that costs little. */
  #admit(): void {
    if (this.#resting) return
    this.#arrivals.shift()?.resume()
    if (this.#arrivals.length > 0) setImmediate(() => this.#admit())
  }
}

/**
 * Charges what addresses cost Node's parser. A byte in a chunk of its own costs as much as 4 KiB in one, and Node parses
 * what it has read to the end, even if the connection was ended meanwhile. An address that has spent its share rests until
 * it has earned more: its bodies and its new connections are not read, and other connections do not notice.
 */
export class ParserAccounts {
  readonly #accounts = new Map<string, Account>()

  /** Begins to charge a body: the returned functions charge a piece of it, and end it. */
  begin(address: string, request: IncomingMessage): { charge(bytes: number): void; end(): void } {
    const account = this.#open(address)
    const body = account.addBody(request)
    return {
      charge: (bytes) => account.charge(1 + Math.floor(bytes / bytesOfUnit)),
      end: () => account.removeBody(body),
    }
  }

  arrive(address: string, socket: Socket): void {
    this.#accounts.get(address)?.arrive(socket)
  }

  chargeUnanswered(address: string): void {
    this.#open(address).charge(unitsOfRequest)
  }

  /** Forgets the addresses that owe nothing; called now and then. */
  forgetIdle(): void {
    for (const [address, account] of this.#accounts) if (account.isIdle) this.#accounts.delete(address)
  }

  #open(address: string): Account {
    const account = this.#accounts.get(address) ?? new Account()
    this.#accounts.set(address, account)
    return account
  }
}
