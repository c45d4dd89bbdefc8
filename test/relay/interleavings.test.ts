import { expect, it } from 'vitest'
import type { Environment } from '../../src/client/platform.ts'
import { loadRelayConfig } from '../../src/config.ts'
import { Answers } from '../../src/relay/answers.ts'
import { RelayChanges } from '../../src/relay/changes.ts'
import { RelayCache } from '../../src/relay/relay-cache.ts'
import { followUpstream } from '../../src/relay/upstream.ts'
import { type Subject, World } from '../client/world/world.ts'
import { firstSeed, randomRuns } from '../support/random.ts'

/*
 * Random interleavings of checks, changes, restarts and broken lines, in virtual time: no answer of a relay may be older than what it
 * has heard of.
 */

const stepsOfRun = 24
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const config = loadRelayConfig({ RELAY_UPSTREAM_URL: 'http://service', ENTITLEMENTS_API_KEY: 'ent_key' })

/** A relay without its routes. Nobody writes through it, and no webhook tells it anything. */
function startRelay(environment: Environment, maxSubscribers: number): Subject {
  const cache = new RelayCache(maxSubscribers, () => {})
  const follower = new RelayChanges()
  const knowledge = followUpstream({ config, cache, logger: silent, follower, environment })
  const answers = new Answers({ knowledge, config, recall: async () => null })
  return {
    async checkDetail(id, feature) {
      const { from, entry } = await answers.find(id).catch(() => ({ from: 'none', entry: null }))
      return { value: entry?.items.get(feature)?.value, from: from === 'upstream' ? 'network' : from }
    },
    handleWebhook: async () => ({ status: 400, event: null }) as never,
    api: { putOverride: () => Promise.reject(new Error('A relay takes no writes.')) as never },
    close: async () => knowledge.close(),
  }
}

it.each([100_000, 1])(
  'no answer is older than what the relay has heard of, in random interleavings, while it remembers %i',
  async (maxSubscribers) => {
    let checks = 0
    for (let seed = firstSeed; seed < firstSeed + randomRuns; seed += 1) {
      const world = new World(seed, { freshness: 'feed' }, (_options, environment) =>
        startRelay(environment, maxSubscribers),
      )
      for (let step = 0; step < stepsOfRun; step += 1) await world.step()
      await world.end()
      checks += world.pending.length
      expect(world.findings, `SEED=${seed} RANDOM_RUNS=1`).toEqual([])
    }
    expect(checks).toBeGreaterThan(randomRuns)
  },
)
