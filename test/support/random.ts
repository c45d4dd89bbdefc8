import fc from 'fast-check'
import { inject } from 'vitest'

/** The number of cases of a random test: 100, or RANDOM_RUNS. `--long` makes it 1,000. */
export const randomRuns = inject('randomRuns')

/** The first case of tests that number their cases. SEED repeats a case that failed. */
export const firstSeed = Number(process.env.SEED ?? 1)

// The same cases in each run, so that a failure is due to a change; `--long` looks for new ones. A failure names its seed.
const isFixed = process.env.SEED !== undefined || randomRuns <= 100
fc.configureGlobal({ numRuns: randomRuns, ...(isFixed && { seed: firstSeed }) })

/** Any code point, including lone surrogates. fast-check's `binary` builds a map of all, in a second and 110 MB. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

export { fc }
