import { describe, expect, it } from 'vitest'
import { firstSeed, randomRuns } from '../support/random.ts'
import { World } from './world/world.ts'

/*
 * Random interleavings of checks, changes, webhooks, writes, restarts and broken connections, in virtual time: no answer may be
 * older than the changes that the client has received.
 */

const stepsOfRun = 24

describe.each([
  ['the feed', 'feed'],
  ['webhooks', 'webhook'],
] as const)('with %s', (_name, freshness) => {
  it('no answer is older than the changes that the client has received, in random interleavings', async () => {
    let checks = 0
    for (let seed = firstSeed; seed < firstSeed + randomRuns; seed += 1) {
      const world = new World(seed, { freshness })
      for (let step = 0; step < stepsOfRun; step += 1) await world.step()
      await world.end()
      checks += world.pending.length
      expect(world.findings, `SEED=${seed} RANDOM_RUNS=1`).toEqual([])
    }
    expect(checks).toBeGreaterThan(randomRuns)
  })
})
