import { setTimeout as wait } from 'node:timers/promises'
import { startBalancer } from '../../../support/balancer.ts'
import { limitOf } from '../../../support/limit-of.ts'
import type { Scenario, ScenarioContext } from '../scenario.ts'
import type { Api } from '../stage.ts'
import { untilInTime } from '../until-in-time.ts'

const checkEveryMs = 100
const startTimeoutMs = limitOf(60_000)

export const processFaults: Scenario[] = [
  { name: 'kill -9 of an API process', inCi: false, longRounds: 20, inflict: killApi },
  { name: 'kill -9 of a worker', inCi: false, longRounds: 20, inflict: killWorker },
  {
    name: 'kill -9 of API processes and workers, at random times',
    inCi: true,
    longRounds: 10,
    async inflict(scene) {
      for (const kill of scene.isLong ? [killApi, killWorker, killApi, killBoth] : [killApi, killBoth]) {
        await wait(scene.random() * 500)
        await kill(scene)
      }
    },
  },
  {
    name: 'an API process stands still',
    inCi: false,
    answersLate: true,
    longRounds: 3,
    async inflict({ stage, random, sendTo }) {
      const frozen = pick(stage.apis, random)
      const other = stage.apis.find((api) => api !== frozen) as Api
      process.kill(frozen.process.server.pid, 'SIGSTOP')
      sendTo(other)
      await wait(15_000)
      process.kill(frozen.process.server.pid, 'SIGCONT')
      sendTo(null)
    },
  },
  {
    name: 'a worker stands still',
    inCi: false,
    longRounds: 3,
    async inflict({ stage, random }) {
      const { pid } = pick(stage.workers, random).server
      process.kill(pid, 'SIGSTOP')
      await wait(15_000)
      process.kill(pid, 'SIGCONT')
    },
  },
  { name: 'rolling restart behind a balancer', inCi: false, longRounds: 5, inflict: restartAll },
]

async function killApi({ stage, random }: ScenarioContext): Promise<void> {
  const api = pick(stage.apis, random)
  api.process.wasKilled = true
  await api.process.server.end('SIGKILL')
  api.process = await stage.startApi(api.port)
}

/** Kills a worker, and restarts it only when the other worker has sent events of every organization. */
async function killWorker({ stage, random, tenants }: ScenarioContext): Promise<void> {
  const index = Math.floor(random() * stage.workers.length)
  await stage.workers[index]?.server.end('SIGKILL')
  const killedAt = Date.now()
  const hasNewEvent = tenants.map(({ receiver }) => () => {
    const last = receiver.received.at(-1)
    return last !== undefined && Date.parse(JSON.parse(last.body).occurred_at) > killedAt
  })
  await untilInTime(() => hasNewEvent.every((has) => has()), 'the other worker has not sent all events')
  stage.workers[index] = await stage.startWorker()
}

async function killBoth(scene: ScenarioContext): Promise<void> {
  await Promise.all([killApi(scene), killWorker(scene)])
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T
}

/** Restarts every API process and every worker, one after the other; no request may fail. */
async function restartAll({ stage, sendTo, finding }: ScenarioContext): Promise<void> {
  const balancer = await startBalancer(
    stage.apis.map(({ url }) => url),
    checkEveryMs,
  )
  sendTo({ url: balancer.url, process: null })
  for (const api of stage.apis) {
    await stopInOrder(api.process.server, finding)
    api.process = await stage.startApi(api.port)
    for (const endsAt = Date.now() + startTimeoutMs; !balancer.uses(api.url); await wait(50)) {
      if (Date.now() > endsAt) throw new Error('The balancer does not use a server that was started again.')
    }
  }
  for (const index of stage.workers.keys()) {
    await stopInOrder(stage.workers[index]?.server, finding)
    stage.workers[index] = await stage.startWorker()
  }
  sendTo(null)
  for (const failure of balancer.failures) finding(`a request failed: ${failure}`)
  // Requests that were sent before are still on their way.
  setTimeout(() => void balancer.close(), 15_000).unref()
}

async function stopInOrder(
  server: { end(signal: NodeJS.Signals): Promise<number | null> } | undefined,
  finding: ScenarioContext['finding'],
): Promise<void> {
  const code = await server?.end('SIGTERM')
  if (code !== 0) finding(`a process that was asked to stop ended with ${code}`)
}
