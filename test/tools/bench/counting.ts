import type { Pool } from 'pg'
import type { Exchange } from './http-load.ts'

type Counting = {
  /** The same exchanges, each counted as one eval. */
  counted: (next: () => Exchange) => () => Exchange
  /** Throws unless the service counted as many evals since the start as were answered. */
  assertCounted: () => Promise<void>
}

/** A run is void if evals were not counted, because counting is the costly part. */
export async function startCounting(pool: Pool): Promise<Counting> {
  const before = await loadCounted(pool)
  let answered = 0
  return {
    counted: (next) => () => {
      answered++
      return next()
    },
    async assertCounted() {
      const counted = (await loadCounted(pool)) - before
      if (counted !== answered) throw new Error(`${answered} evals were answered, but ${counted} counted`)
    },
  }
}

async function loadCounted(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `select (select coalesce(sum(day_used), 0) from eval_counter) + (select coalesce(sum(used), 0) from eval_usage_day) as used`,
  )
  return Number(rows[0].used)
}
