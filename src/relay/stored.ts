import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Entry } from '../client/cache.ts'
import { isStoredSnapshot, type Snapshot } from '../client/snapshot.ts'
import { currentMs } from '../core/clock.ts'
import { warnNowAndThen } from '../core/warn-now-and-then.ts'
import type { StoredAnswer } from './answers.ts'
import { snapshotText } from './texts.ts'

type Options = {
  folder: string
  /** Identifies the subscribers' organization: the upstream and the key. Answers of another organization are never used. */
  owner: string
  logger: Pick<Logger, 'warn'>
  /** The current answer about a subscriber. */
  get(subscriberId: string): Entry | undefined
  /** The environment's clock. */
  now(): number
}

const quietMs = 60_000
const maxAtOnce = 4
const readAtOnce = 16

/** The last answers, one file for each subscriber, written in the background. */
export class StoredAnswers {
  readonly #options: Options
  readonly #folder: string
  readonly #warn: ReturnType<typeof warnNowAndThen>
  /** Subscribers whose files are yet to be written. */
  readonly #changed = new Set<string>()
  readonly #writing = new Set<Promise<void>>()
  #temporary = 0

  constructor(options: Options) {
    this.#options = options
    this.#folder = join(options.folder, hash('sha256', options.owner).slice(0, 16))
    this.#warn = warnNowAndThen(options.logger as Logger, quietMs)
  }

  changed(subscriberId: string): void {
    this.#changed.add(subscriberId)
    if (this.#writing.size === 0) setImmediate(() => this.#writeMore())
  }

  /** Null if there is no file, or none that can be read. */
  async read(subscriberId: string): Promise<StoredAnswer | null> {
    const stored = await this.#readFile(this.#fileOf(subscriberId))
    return stored?.snapshot.subscriber_id === subscriberId ? stored : null
  }

  async *readAll(): AsyncGenerator<StoredAnswer> {
    for (const folder of await readdir(this.#folder).catch(() => [])) {
      const names = await readdir(join(this.#folder, folder)).catch(() => [])
      for (let start = 0; start < names.length; start += readAtOnce) {
        const files = names.slice(start, start + readAtOnce).map((name) => join(this.#folder, folder, name))
        for (const stored of await Promise.all(files.map((file) => this.#readFile(file)))) if (stored) yield stored
      }
    }
  }

  /** Resolves once everything is written. */
  async close(): Promise<void> {
    while (this.#changed.size > 0 || this.#writing.size > 0) {
      this.#writeMore()
      await Promise.all(this.#writing)
    }
  }

  #writeMore(): void {
    for (const subscriberId of this.#changed) {
      if (this.#writing.size >= maxAtOnce) return
      this.#changed.delete(subscriberId)
      const writing = this.#write(subscriberId)
        .catch((error) => this.#warn({ err: error }, 'an answer could not be stored in RELAY_STORE'))
        .then(() => {
          this.#writing.delete(writing)
          this.#writeMore()
        })
      this.#writing.add(writing)
    }
  }

  async #write(subscriberId: string): Promise<void> {
    const entry = this.#options.get(subscriberId)
    // Given up meanwhile, or outdated: then the answer that follows is written.
    if (!entry || entry.isStale) return
    const file = this.#fileOf(subscriberId)
    if (!entry.snapshot) return rm(file, { force: true })
    const rightAtMs = entry.receivedAt ?? currentMs()
    const temporary = `${file}.${process.pid}.${this.#temporary++}`
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(temporary, `{"right_at_ms":${rightAtMs},"snapshot":${snapshotText(entry.snapshot)}}`, {
      mode: 0o600,
    })
    await rename(temporary, file)
  }

  async #readFile(file: string): Promise<StoredAnswer | null> {
    try {
      const { right_at_ms: rightAtMs, snapshot } = JSON.parse(await readFile(file, 'utf8'))
      if (!isStoredSnapshot(snapshot) || typeof rightAtMs !== 'number') return null
      return {
        snapshot: snapshot satisfies Snapshot,
        sentAt: this.#options.now() - Math.max(currentMs() - rightAtMs, 0),
      }
    } catch {
      return null
    }
  }

  #fileOf(subscriberId: string): string {
    const name = hash('sha256', subscriberId)
    return join(this.#folder, name.slice(0, 2), `${name}.json`)
  }
}
