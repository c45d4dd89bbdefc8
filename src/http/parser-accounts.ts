import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How many units an address earns per millisecond. A unit is the parser's cost of passing on a piece of a body, about 1.5 µs.
 */
const unitsPerMs = 40
/** The units that an idle address may spend at once. */
const maxSavedUnits = 10_000
/** The bytes that cost about as much as one piece, including garbage collection. */
const bytesOfUnit = 1024
/** The cost of a request that is parsed but never answered. */
const unitsPerRequest = 15
/** The maximum number of new connections that wait while reading from their address is paused; further ones are closed. */
const maxArrivals = 100
/** The minimum time for which reading from an address is paused. Without a minimum, each piece would set a timer. */
const minPauseMs = 20

type ChargedBody = { request: IncomingMessage; onResume: () => void }

/** An address's remaining units, the bodies that it is sending, and its new connections that are not read yet. */
class Account {
  readonly #bodies = new Set<ChargedBody>()
  readonly #arrivals: Socket[] = []
  #remainingUnits = maxSavedUnits
  #countedAt = performance.now()
  #pauseTimer: NodeJS.Timeout | null = null

  get isResting(): boolean {
    return this.#pauseTimer !== null
  }

  get isIdle(): boolean {
    return this.#bodies.size === 0 && this.#arrivals.length === 0 && !this.isResting && this.#refill() === maxSavedUnits
  }

  charge(units: number): void {
    this.#remainingUnits -= units
    if (this.#remainingUnits > 0 || this.#pauseTimer || this.#refill() > 0) return
    for (const { request } of this.#bodies) request.socket.pause()
    this.#pauseReading()
  }

  /**
   * Makes a new connection wait while reading from the address is paused; afterwards, waiting connections are read one at a
   * time. Returns false if the connection need not wait.
   */
  waitIfPaused(socket: Socket): boolean {
    if (!this.#pauseTimer && this.#arrivals.length === 0) return false
    if (this.#arrivals.length >= maxArrivals) {
      socket.destroy()
      return true
    }
    this.#arrivals.push(socket)
    // Node begins to read in the next tick, which would undo an earlier pause.
    process.nextTick(() => socket.pause())
    return true
  }

  addBody(request: IncomingMessage): ChargedBody {
    const { socket } = request
    // Pauses again, because Node resumes a connection whenever its body is read.
    const onResume = () => {
      if (this.#pauseTimer) socket.pause()
    }
    const body = { request, onResume }
    this.#bodies.add(body)
    socket.on('resume', onResume)
    onResume()
    return body
  }

  removeBody(body: ChargedBody): void {
    if (!this.#bodies.delete(body)) return
    const { socket } = body.request
    socket.off('resume', body.onResume)
    if (this.#pauseTimer) socket.resume()
  }

  #refill(): number {
    const now = performance.now()
    this.#remainingUnits = Math.min(maxSavedUnits, this.#remainingUnits + (now - this.#countedAt) * unitsPerMs)
    this.#countedAt = now
    return this.#remainingUnits
  }

  #pauseReading(): void {
    const ms = Math.max(minPauseMs, -this.#remainingUnits / unitsPerMs)
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = null
      if (this.#refill() <= 0) return this.#pauseReading()
      for (const { request } of this.#bodies) {
        // A body with a full buffer continues by itself once it is read.
        if (request.readableLength < request.readableHighWaterMark) request.socket.resume()
      }
      this.#admit()
    }, ms).unref()
  }

  /** Lets the next waiting connection be read, and then the others, unless reading from the address is paused again. */
  #admit(): void {
    if (this.#pauseTimer) return
    this.#arrivals.shift()?.resume()
    if (this.#arrivals.length > 0) setImmediate(() => this.#admit())
  }
}

/**
 * Charges the cost of Node's parser to addresses. A chunk with one byte costs as much as a chunk with 1 KiB, and Node parses
 * all data that it has read, even if the connection has been ended meanwhile. Reading from an address that has spent its units
 * is paused until it has earned more: neither its bodies nor its new connections are read. Other addresses are not affected.
 */
export class ParserAccounts {
  readonly #accounts = new Map<string, Account>()

  /** Adds a body to the address's account. The returned functions charge for a piece of the body, and remove the body. */
  begin(address: string, request: IncomingMessage): { charge(bytes: number): void; end(): void } {
    const account = this.#open(address)
    const body = account.addBody(request)
    return {
      charge: (bytes) => account.charge(1 + Math.floor(bytes / bytesOfUnit)),
      end: () => account.removeBody(body),
    }
  }

  /** Makes a new connection wait if reading from its address is paused. Returns false if it need not wait. */
  arrive(address: string, socket: Socket): boolean {
    return this.#accounts.get(address)?.waitIfPaused(socket) ?? false
  }

  chargeUnanswered(address: string): void {
    this.#open(address).charge(unitsPerRequest)
  }

  /** Forgets addresses that are idle and have all their units; called periodically. */
  forgetIdle(): void {
    for (const [address, account] of this.#accounts) if (account.isIdle) this.#accounts.delete(address)
  }

  #open(address: string): Account {
    const account = this.#accounts.get(address) ?? new Account()
    this.#accounts.set(address, account)
    return account
  }
}
