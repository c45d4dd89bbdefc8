import { limitOf } from '../../support/limit-of.ts'
import { type Tenant, Tenants } from '../../support/tenants.ts'
import { AnswerTally } from './answers.ts'
import type { Attack, AttackContext } from './attack.ts'
import { type AttackBounds, checkAlwaysBounds, checkBounds, stallMs } from './bounds.ts'
import { Client } from './client.ts'
import { readFaults } from './log.ts'
import type { Row } from './report.ts'
import { Server, type Variant } from './server.ts'
import { difference, readStoredData } from './stored-data.ts'
import { createNeighbour, ServerWatch, type WatchResult } from './watch.ts'

type Options = {
  databaseUrl: string
  attacks: readonly Attack[]
  scale: number
  seed: number
  bounds: AttackBounds
  /** Stops attacks that take longer, and reports that as a fault. */
  timeoutMs: number
  onRow?: (row: Row) => void
  /** Called with the measurements before the first attack. */
  onQuiet?: (variant: Variant, quiet: WatchResult) => void
}

/** Runs the attacks one after the other; those against the same kind of server share it. */
export async function runHostile(options: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const variant of ['development', 'production', 'relay'] satisfies Variant[]) {
    const attacks = options.attacks.filter((attack) => (attack.variant ?? 'development') === variant)
    if (attacks.length > 0) rows.push(...(await runAgainst(variant, attacks, options)))
  }
  return rows
}

async function runAgainst(variant: Variant, attacks: readonly Attack[], options: Options): Promise<Row[]> {
  const isRelay = variant === 'relay'
  const service = await Server.start(isRelay ? 'development' : variant, options.databaseUrl)
  const tenants = new Tenants(options.databaseUrl)
  const neighbour = await createNeighbour(tenants, service.port)
  const server = isRelay ? await Server.startRelay(service, neighbour.key) : service
  const rows: Row[] = []
  try {
    const { port, pid } = server
    const probes = isRelay ? (['health', 'check'] as const) : (['health', 'check', 'list', 'write'] as const)
    const watch = await ServerWatch.start({ port, pid, probes }, neighbour)
    const quiet = await watchQuiet(watch)
    options.onQuiet?.(variant, quiet)
    for (const attack of attacks) {
      const run = { attack, server, tenants, attacker: isRelay ? neighbour : null, watch, options, quiet }
      let row = await runOne(run)
      for (let again = 0; again < options.bounds.repeats && row.mayBeSlow; again++) {
        row = await runOne(run)
      }
      options.onRow?.(row)
      rows.push(row)
    }
    await watch.stop()
    return rows
  } finally {
    await tenants.close()
    await server.stop()
    if (isRelay) await service.stop()
  }
}

const quietMs = 3_000

/** Measures the neighbour while nobody attacks. */
async function watchQuiet(watch: ServerWatch): Promise<WatchResult> {
  await watch.take()
  await new Promise((resolve) => setTimeout(resolve, quietMs))
  return watch.take()
}

type Run = {
  attack: Attack
  server: Server
  tenants: Tenants
  /** A relay has one tenant. Null: each attack gets its own. */
  attacker: Tenant | null
  watch: ServerWatch
  options: Options
  quiet: WatchResult
}

async function runOne({ attack, server, tenants, attacker: shared, watch, options, quiet }: Run): Promise<Row> {
  const { scale, seed, bounds } = options
  const timeoutMs = options.timeoutMs * (attack.patience ?? 1)
  if (server.ended) {
    await server.restart()
    watch.follow(server.pid)
  }
  const startedAt = performance.now()
  const attacker = shared ?? (await tenants.create())
  const answers = new AnswerTally()
  const faults: string[] = []
  const notes: string[] = []
  const over = new AbortController()
  const timer = setTimeout(() => {
    faults.push(`it was not over after ${timeoutMs / 1000} s`)
    over.abort()
  }, timeoutMs)
  server.onEnd(() => over.abort())
  server.takeOutput()
  const client = new Client({ port: server.port, answers, signal: over.signal })
  const scene: AttackContext = {
    client,
    answers,
    server,
    tenants,
    attacker,
    scale,
    seed,
    signal: over.signal,
    fault: (sentence) => faults.push(sentence),
    note: (text) => notes.push(text),
  }
  await attack.prepare?.(scene)
  const storedBefore = await readStoredData(tenants.pool)
  const before = await watch.take()
  await attack.run(scene).catch((error) => faults.push(`it failed: ${error instanceof Error ? error.stack : error}`))
  clearTimeout(timer)
  over.abort()
  await client.close()
  if (server.ended) faults.unshift(server.ended)
  const watched = await watch.take()
  for (const [fault, example] of answers.faults) faults.push(`${fault}: ${example}`)
  const after = server.ended ? watched : await settle(server, watch, bounds.afterMegabytes)
  const seconds = (performance.now() - startedAt) / 1000
  const row = {
    name: attack.name,
    requests: answers.total,
    answers: `${answers}`,
    watched,
    seconds,
    beforeMegabytes: before.nowMegabytes,
    afterMegabytes: after.nowMegabytes,
    sentBytes: client.sentBytes,
    stored: difference(await readStoredData(tenants.pool), storedBefore),
    note: notes.join(', '),
    faults,
    mayBeSlow: false,
  }
  // Nothing excuses a wrong answer or a process that ended. A 503 or an outage in the log is excused if the machine stood still.
  const found = [...readFaults(server.takeOutput(), seconds), ...checkAlwaysBounds(row)]
  const hasStoodStill = Math.max(before.stallMs, watched.stallMs, after.stallMs) > stallMs
  const isExcused = faults.length === 0 && found.every(({ mayBeStall }) => hasStoodStill && mayBeStall)
  const outOfBounds = checkBounds(row, quiet.checkP99Ms, bounds)
  const all = [...faults, ...found.map(({ sentence }) => sentence), ...outOfBounds]
  return { ...row, faults: all, mayBeSlow: isExcused && all.length > 0 }
}

const settleTimeoutMs = limitOf(20_000)

/** Resolves when the neighbour is fast again and memory is freed, or when time is up. */
async function settle(server: Server, watch: ServerWatch, megabytes: number): Promise<WatchResult> {
  const endsAt = Date.now() + settleTimeoutMs
  let worstStallMs = 0
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const watched = await watch.take()
    worstStallMs = Math.max(worstStallMs, watched.stallMs)
    if (watched.nowMegabytes >= megabytes && !server.ended) await server.collectGarbage()
    const isCalm = watched.healthWorstMs < 100 && watched.checkWorstMs < 200 && watched.nowMegabytes < megabytes
    if (isCalm || Date.now() > endsAt) return { ...watched, stallMs: worstStallMs }
  }
}
