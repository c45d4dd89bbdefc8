import { describe, expect, it } from 'vitest'
import { World } from './world/world.ts'

/*
 * Random interleavings of checks, changes, webhooks, writes, restarts and broken lines, in virtual time: no answer may be older
 * than what the client has heard of. `INTERLEAVINGS` says how many, `SEED` with which one to begin.
 */

const runs = Number(process.env.INTERLEAVINGS ?? 700)
const firstSeed = Number(process.env.SEED ?? 1)
const stepsOfRun = 24
const testMs = 1_200_000

describe.each([
  ['the feed', 'feed'],
  ['webhooks', 'webhook'],
] as const)('with %s', (_name, freshness) => {
  it(
    `no answer is older than what the client has heard of, in ${runs} random interleavings`,
    async () => {
      let checks = 0
      for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
        const world = new World(seed, { freshness })
        for (let step = 0; step < stepsOfRun; step += 1) await world.step()
        await world.end()
        checks += world.pending.length
        expect(world.findings, `SEED=${seed} INTERLEAVINGS=1`).toEqual([])
      }
      expect(checks).toBeGreaterThan(runs)
    },
    testMs,
  )
})
