import { setTimeout as wait } from 'node:timers/promises'
import type { Scenario, ScenarioContext } from '../scenario.ts'

/** A silence shorter than every time limit, and one longer than all of them. */
const silencesMs = [5_000, 8_000, 12_000, 25_000]

export const networkFaults: Scenario[] = [
  { name: 'silence, then all that was sent', inCi: false, longRounds: 8, inflict: (scene) => freeze(scene, false) },
  { name: 'silent failover', inCi: true, longRounds: 8, inflict: (scene) => freeze(scene, true) },
  {
    name: 'silence while a failed attempt is recorded',
    inCi: true,
    longRounds: 4,
    async inflict(scene) {
      await failNextAttempt(scene)
      await freeze(scene, false)
    },
  },
  {
    name: 'all connections are cut',
    inCi: true,
    longRounds: 20,
    async inflict({ stage: { proxy } }) {
      proxy.refuseConnections()
      proxy.open()
    },
  },
  {
    name: 'the database cannot be reached',
    inCi: false,
    longRounds: 5,
    async inflict({ stage: { proxy }, isLong }) {
      proxy.refuseConnections()
      await wait(isLong ? 15_000 : 4_000)
      proxy.open()
    },
  },
]

async function freeze({ stage: { proxy }, isLong, random }: ScenarioContext, failover: boolean): Promise<void> {
  const silenceMs = isLong ? silencesMs[Math.floor(random() * silencesMs.length)] : 7_000
  proxy.freeze()
  await wait(silenceMs)
  proxy.thaw({ failover })
  if (failover) proxy.endReplaced()
}

/** Resolves when a receiver has refused an event, before the worker can record it. */
async function failNextAttempt({ stage: { proxy }, tenants }: ScenarioContext): Promise<void> {
  await new Promise<void>((resolve) => {
    let isDone = false
    for (const { receiver } of tenants) {
      receiver.behave(() => {
        if (isDone) return 204
        isDone = true
        proxy.freeze()
        resolve()
        return 500
      })
    }
  })
}
