import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { limitOf } from '../../support/limit-of.ts'

/** Longer than any answer may take. */
const answerTimeoutMs = limitOf(60_000)
const weighEveryMs = 50

export type WatcherData = {
  port: number
  pid: number
  probes: readonly Probe['name'][]
  key: string
  subscriber: string
  feature: string
}

/** The measurements, in milliseconds and megabytes. */
export type WatchResult = {
  healthWorstMs: number
  checkP50Ms: number
  checkP99Ms: number
  checkWorstMs: number
  listP99Ms: number
  writeWorstMs: number
  /** The neighbour's requests: answered as expected, refused, without an answer in time, or answered otherwise. */
  right: number
  refused: string[]
  unanswered: string[]
  wrong: string[]
  peakMegabytes: number
  /** The longest time for which this thread, which has little to do, did not get the processor. */
  stallMs: number
  nowMegabytes: number
}

type Probe = {
  name: 'health' | 'check' | 'list' | 'write'
  everyMs: number
  agent?: Agent
  send: [string, string, string?]
  is: RegExp
}

const { port, probes: asked, key, subscriber, feature } = workerData as WatcherData
let { pid } = workerData as WatcherData

const probes: Probe[] = [
  // Uses a new connection each time, like a load balancer.
  { name: 'health', everyMs: 25, send: ['GET', '/healthz'], is: /"ok"/ },
  {
    name: 'check',
    everyMs: 20,
    agent: new Agent({ keepAlive: true }),
    send: ['POST', `/org/subscribers/${subscriber}/entitlements/check`, JSON.stringify({ feature })],
    is: /"limit":5,"source":"plan"/,
  },
  {
    name: 'list',
    everyMs: 50,
    agent: new Agent({ keepAlive: true }),
    send: ['GET', '/org/subscribers'],
    is: /"subscriber_id":"neighbour"/,
  },
  {
    name: 'write',
    everyMs: 250,
    agent: new Agent({ keepAlive: true }),
    send: ['PATCH', `/org/subscribers/${subscriber}`, '{"name":"Neighbour"}'],
    is: /"name":"Neighbour"/,
  },
]

let times: Record<Probe['name'], number[]>
let seen: Pick<WatchResult, 'right' | 'refused' | 'unanswered' | 'wrong' | 'peakMegabytes' | 'stallMs'>
const begunAt: Partial<Record<Probe['name'], number>> = {}

function reset(): void {
  times = { health: [], check: [], list: [], write: [] }
  seen = { right: 0, refused: [], unanswered: [], wrong: [], peakMegabytes: 0, stallMs: 0 }
}

/** The answer, or null if there was none in time. */
function ask({ name, agent, send: [method, path, body] }: Probe): Promise<{ status: number; text: string } | null> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
    const sent = request({ port, host: '127.0.0.1', method, path, headers, ...(agent ? { agent } : { agent: false }) })
    sent.setTimeout(answerTimeoutMs, () => {
      seen.unanswered.push(`${name}: no answer in ${answerTimeoutMs / 1000} s`)
      resolve(null)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.end(body)
  })
}

async function repeat(probe: Probe): Promise<never> {
  for (;;) {
    const begun = performance.now()
    begunAt[probe.name] = begun
    try {
      const answer = await ask(probe)
      if (answer?.status === 200 && probe.is.test(answer.text)) seen.right += 1
      else if (answer?.status === 503) seen.refused.push(`${probe.name}: ${answer.text}`)
      else if (answer) seen.wrong.push(`${probe.name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    } catch (error) {
      seen.wrong.push(`${probe.name}: ${(error as Error).message}`)
    }
    times[probe.name].push(performance.now() - begun)
    await wait(probe.everyMs)
  }
}

function megabytes(): number {
  try {
    return (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6
  } catch {
    return 0
  }
}

async function weigh(): Promise<never> {
  for (;;) {
    seen.peakMegabytes = Math.max(seen.peakMegabytes, megabytes())
    const begun = performance.now()
    await wait(weighEveryMs)
    seen.stallMs = Math.max(seen.stallMs, performance.now() - begun - weighEveryMs)
  }
}

/** The longest time, including a waiting request's time so far. */
function worst(name: Probe['name']): number {
  const waiting = performance.now() - (begunAt[name] ?? performance.now())
  return Math.max(waiting, ...times[name])
}

function percentile(name: Probe['name'], part: number): number {
  const sorted = Float64Array.from(times[name]).sort()
  return sorted[Math.floor(sorted.length * part)] ?? worst(name)
}

parentPort?.on('message', (message: { take?: boolean; pid?: number }) => {
  if (message.pid !== undefined) pid = message.pid
  if (!message.take) return
  const watched: WatchResult = {
    healthWorstMs: worst('health'),
    checkP50Ms: percentile('check', 0.5),
    checkP99Ms: percentile('check', 0.99),
    checkWorstMs: worst('check'),
    listP99Ms: percentile('list', 0.99),
    writeWorstMs: worst('write'),
    nowMegabytes: megabytes(),
    ...seen,
  }
  reset()
  parentPort?.postMessage(watched)
})

reset()
for (const probe of probes) if (asked.includes(probe.name)) void repeat(probe)
void weigh()
parentPort?.postMessage('ready')
