import type { Pool } from 'pg'

/**
 * Takes back the count of evals that were granted, but not answered: only answered evals count. One statement at a time;
 * evals that arrive meanwhile go into the next one. Not after the day in which they were counted; what cannot be taken back
 * stays counted.
 */
export class Refunds {
  readonly #pool: Pool
  /** Evals by organization and day. */
  #owed = new Map<string, { organizationId: string; day: string; evals: number }>()
  #isRunning = false

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Nobody waits for it. */
  add(organizationId: string, countedAt: Date): void {
    const day = countedAt.toISOString().slice(0, 10)
    const name = `${organizationId} ${day}`
    const owed = this.#owed.get(name)
    if (owed === undefined) this.#owed.set(name, { organizationId, day, evals: 1 })
    else owed.evals += 1
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#owed.size > 0) {
      const owed = this.#owed
      this.#owed = new Map()
      for (const { organizationId, day, evals } of owed.values()) {
        await this.#pool
          .query(
            `update eval_counter set day_used = day_used - $3, month_used = month_used - $3
              where organization_id = $1 and day = $2::date and day_used >= $3`,
            [organizationId, day, evals],
          )
          .catch(() => {})
      }
    }
    this.#isRunning = false
  }
}
