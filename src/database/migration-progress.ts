/** The progress of a long migration. `rows` is the number of changed rows, if it runs in batches. */
export type MigrationProgress = {
  doing: 'waiting for another process that migrates' | 'waiting for locks' | 'running'
  migration?: string
  rows?: number
  /** The time since this step began. */
  seconds: number
}

const firstReportMs = 2_000
const maxReportMs = 300_000

/**
 * Reports the progress of a migration: first after two seconds, then after twice the previous interval, and at least every five
 * minutes.
 */
export class ProgressReport {
  readonly #onProgress: (progress: MigrationProgress) => void
  #step: Omit<MigrationProgress, 'seconds'> = { doing: 'running' }
  #beganAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(onProgress: (progress: MigrationProgress) => void) {
    this.#onProgress = onProgress
  }

  begin(step: Omit<MigrationProgress, 'seconds'>): void {
    this.end()
    this.#step = step
    this.#beganAt = performance.now()
    this.#reportAfter(firstReportMs)
  }

  update(changed: Partial<MigrationProgress>): void {
    this.#step = { ...this.#step, ...changed }
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #reportAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#onProgress({ ...this.#step, seconds: Math.round((performance.now() - this.#beganAt) / 1000) })
      this.#reportAfter(Math.min(maxReportMs, ms * 2))
    }, ms).unref()
  }
}

/**
 * Describes the migrations for the log. If there are several, gives only their number, because an empty database gets all of
 * them.
 */
export function describeAppliedMigrations(
  names: readonly string[],
): { migration: string | undefined } | { migrations: number } {
  return names.length === 1 ? { migration: names[0] } : { migrations: names.length }
}
