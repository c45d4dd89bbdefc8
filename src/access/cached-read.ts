/** The minimum time between two requests to a provider, whatever clients send and whatever the provider answers. */
const requestIntervalMs = 30_000

type CachedReadOptions<Value> = {
  read(): Promise<Value>
  /** Called when the provider begins to fail. */
  onFailed(error: unknown): void
  /** Called when the provider answers again. */
  onRecovered(): void
}

/**
 * The published data of an external provider, as last read. The provider is asked again only after a pause, whether it answered
 * or failed.
 */
export class CachedRead<Value> {
  readonly #options: CachedReadOptions<Value>
  #answer: { value: Value; readAt: number } | null = null
  #readBeganAt = -Infinity
  #reading: Promise<void> | null = null
  #hasFailed = false

  constructor(options: CachedReadOptions<Value>) {
    this.#options = options
  }

  /** The last answer, however old; null before the first one. */
  get value(): Value | null {
    return this.#answer?.value ?? null
  }

  /** The age of the last answer. */
  get ageMs(): number {
    return this.#answer ? performance.now() - this.#answer.readAt : Infinity
  }

  /** Whether the last request failed. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Reads the data, unless the provider was just asked. Never rejects. */
  async ask(): Promise<void> {
    if (this.#reading) return this.#reading
    if (performance.now() - this.#readBeganAt < requestIntervalMs) return
    this.#readBeganAt = performance.now()
    this.#reading = this.#read()
    return this.#reading
  }

  async #read(): Promise<void> {
    const { read, onFailed, onRecovered } = this.#options
    try {
      this.#answer = { value: await read(), readAt: performance.now() }
      if (this.#hasFailed) onRecovered()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) onFailed(error)
      this.#hasFailed = true
    } finally {
      this.#reading = null
    }
  }
}
