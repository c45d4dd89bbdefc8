import fc from 'fast-check'
import { inject } from 'vitest'

/** How many cases a random test has: 100, or as many as RANDOM_RUNS says. `--long` makes it 1,000. */
export const randomRuns = inject('randomRuns')

/** The first case of tests that number their cases. SEED repeats a case that failed. */
export const firstSeed = Number(process.env.SEED ?? 1)

fc.configureGlobal({ numRuns: randomRuns, ...(process.env.SEED && { seed: firstSeed }) })

export { fc }
