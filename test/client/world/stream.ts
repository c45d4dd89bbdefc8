import { type SentChange, toSentEvent } from './service.ts'
import type { VirtualTime } from './virtual-time.ts'

type Chunk = {
  text: string
  /** Once this chunk is read, the client has received all changes up to this time. */
  heardUntil: number | null
}

/** A stream of changes that delays each message. It can break, or stall and continue later. */
export class Stream {
  readonly #time: VirtualTime
  readonly #random: () => number
  readonly #onHeard: (until: number) => void
  #sent: number
  #arrivesAt = 0
  #standsUntil = 0
  #ready: Chunk[] = []
  #wake: () => void = () => {}
  #end: 'open' | 'ended' | 'broken' = 'open'

  constructor(
    time: VirtualTime,
    random: () => number,
    { sent, onHeard }: { sent: number; onHeard: (until: number) => void },
  ) {
    this.#time = time
    this.#random = random
    this.#sent = sent
    this.#onHeard = onHeard
  }

  get isOpen(): boolean {
    return this.#end === 'open'
  }

  begin(event: 'ready' | 'reset', isResumed: boolean): void {
    const cursor = String(this.#sent)
    const heardUntil = isResumed && event === 'ready' ? null : this.#time.now
    this.#send({ text: toSentEvent(cursor, event, JSON.stringify({ cursor })), heardUntil })
  }

  /** Sends the changes that this stream has not sent yet, and then, with `isAlive`, an alive event. */
  sendChanges(log: readonly SentChange[], isAlive: boolean): void {
    for (const [index, change] of log.slice(this.#sent).entries()) {
      const id = String(this.#sent + index + 1)
      this.#send({ text: toSentEvent(id, change.type, JSON.stringify(change)), heardUntil: null })
    }
    this.#sent = log.length
    const cursor = String(this.#sent)
    if (isAlive)
      this.#send({ text: toSentEvent(cursor, 'alive', JSON.stringify({ cursor })), heardUntil: this.#time.now })
  }

  stall(ms: number): void {
    this.#standsUntil = this.#time.now + ms
  }

  end(how: 'ended' | 'broken'): void {
    if (this.#end === 'open') this.#end = how
    this.#wake()
  }

  readonly body = {
    getReader: () => ({
      read: async (): Promise<{ done: boolean; value?: Uint8Array }> => {
        while (this.#ready.length === 0 && this.#end === 'open') {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
        if (this.#end === 'broken') throw new TypeError('terminated')
        const chunk = this.#ready.shift()
        if (!chunk) return { done: true }
        if (chunk.heardUntil !== null) this.#onHeard(chunk.heardUntil)
        return { done: false, value: new TextEncoder().encode(chunk.text) }
      },
      cancel: async () => this.end('broken'),
    }),
  }

  #send({ text, heardUntil }: Chunk): void {
    const earliest = Math.max(this.#time.now + this.#random() * 40, this.#standsUntil, this.#arrivesAt)
    this.#arrivesAt = earliest
    this.#time.later(earliest - this.#time.now, () => {
      if (this.#end !== 'open') return
      // The stream may have stalled meanwhile.
      if (this.#standsUntil > this.#time.now) return this.#sendLater({ text, heardUntil })
      this.#deliver({ text, heardUntil })
    })
  }

  #sendLater(chunk: Chunk): void {
    this.#time.later(this.#standsUntil - this.#time.now, () => {
      if (this.#end === 'open') this.#deliver(chunk)
    })
  }

  #deliver(chunk: Chunk): void {
    this.#ready.push(chunk)
    this.#wake()
  }
}
