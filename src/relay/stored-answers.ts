import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Entry } from '../client/cache.ts'
import { isStoredSnapshot, type Snapshot } from '../client/snapshot.ts'
import { currentMs } from '../core/clock.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import type { StoredAnswer } from './answers.ts'
import { snapshotText } from './texts.ts'

type Options = {
  folder: string
  /** The upstream and the key, which identify the organization: answers of another organization are never used. */
  owner: string
  logger: Pick<Logger, 'warn'>
  /** The current answer for a subscriber. */
  get(subscriberId: string): Entry | undefined
  /** The environment's clock. */
  now(): number
}

const warningIntervalMs = 60_000
const maxWritesAtOnce = 4
const readsAtOnce = 16
/** The name of the file that an answer is first written to: with the process and a number. */
const temporaryName = /\.json\.\d+\.\d+$/
/** No write takes this long, so an older temporary file belongs to a process that was killed. */
const abandonedMs = 3_600_000

/** Stores the last answers in files, one for each subscriber, in the background. */
export class StoredAnswers {
  readonly #options: Options
  readonly #folder: string
  readonly #warn: ReturnType<typeof warnAtIntervals>
  /** Subscribers whose files are still to be written. */
  readonly #toWrite = new Set<string>()
  /** The running writes. A subscriber has at most one, so that an older answer never replaces a newer one. */
  readonly #writes = new Map<string, Promise<void>>()
  #temporaryFiles = 0

  constructor(options: Options) {
    this.#options = options
    this.#folder = join(options.folder, hash('sha256', options.owner).slice(0, 16))
    this.#warn = warnAtIntervals(options.logger as Logger, warningIntervalMs)
  }

  storeSoon(subscriberId: string): void {
    this.#toWrite.add(subscriberId)
    if (this.#writes.size === 0) setImmediate(() => this.#startWrites())
  }

  /** The stored answer; null if the subscriber has no readable file. */
  async read(subscriberId: string): Promise<StoredAnswer | null> {
    const stored = await this.#readFile(this.#fileOf(subscriberId))
    return stored?.snapshot.subscriber_id === subscriberId ? stored : null
  }

  async *readAll(): AsyncGenerator<StoredAnswer> {
    for (const folder of await readdir(this.#folder).catch(() => [])) {
      const names = await readdir(join(this.#folder, folder)).catch(() => [])
      // A killed process leaves temporary files behind, which may be incomplete or outdated.
      const temporary = names.filter((name) => temporaryName.test(name)).map((name) => join(this.#folder, folder, name))
      for (const file of temporary) await deleteIfAbandoned(file)
      const complete = names.filter((name) => name.endsWith('.json'))
      for (let start = 0; start < complete.length; start += readsAtOnce) {
        const files = complete.slice(start, start + readsAtOnce).map((name) => join(this.#folder, folder, name))
        for (const stored of await Promise.all(files.map((file) => this.#readFile(file)))) if (stored) yield stored
      }
    }
  }

  /** Resolves once all changed answers are written. */
  async close(): Promise<void> {
    while (this.#toWrite.size > 0 || this.#writes.size > 0) {
      this.#startWrites()
      await Promise.all(this.#writes.values())
    }
  }

  #startWrites(): void {
    for (const subscriberId of this.#toWrite) {
      if (this.#writes.size >= maxWritesAtOnce) return
      if (this.#writes.has(subscriberId)) continue
      this.#toWrite.delete(subscriberId)
      const writing = this.#write(subscriberId)
        .catch((error) => this.#warn({ err: error }, 'an answer could not be stored in RELAY_STORE'))
        .then(() => {
          this.#writes.delete(subscriberId)
          this.#startWrites()
        })
      this.#writes.set(subscriberId, writing)
    }
  }

  async #write(subscriberId: string): Promise<void> {
    const entry = this.#options.get(subscriberId)
    // The answer was dropped or became outdated meanwhile; the next answer will be written.
    if (!entry || entry.isStale) return
    const file = this.#fileOf(subscriberId)
    if (!entry.snapshot) return rm(file, { force: true })
    const rightAtMs = entry.receivedAt ?? currentMs()
    const temporaryFile = `${file}.${process.pid}.${this.#temporaryFiles++}`
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    try {
      await writeFile(temporaryFile, `{"right_at_ms":${rightAtMs},"snapshot":${snapshotText(entry.snapshot)}}`, {
        mode: 0o600,
      })
      await rename(temporaryFile, file)
    } catch (error) {
      await rm(temporaryFile, { force: true }).catch(() => {})
      throw error
    }
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

/** Another process may be deleting the file, or the folder may be read-only; the file then stays. */
async function deleteIfAbandoned(file: string): Promise<void> {
  try {
    if (currentMs() - (await stat(file)).mtimeMs > abandonedMs) await rm(file, { force: true })
  } catch {}
}
