import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../../src/database/migrate.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../support/database-proxy.ts'
import { testMasterKey } from '../../../support/master-key.ts'
import { type ServerProcess, spawnApi } from '../../../support/spawn-service.ts'
import { createTenantIn } from '../../../support/tenants.ts'
import { ReplicatedCluster } from '../replicated-cluster.ts'
import { untilInTime } from '../until-in-time.ts'
import { Pairs, type Target } from './pairs.ts'

type Proof = {
  fault: string
  pairs: number
  /** Granted while the fault lasted. */
  evals: number
  refused: number
  /** The time in which evals were refused. */
  refusedMs: number
}

export type Result = {
  proofs: Proof[]
  findings: string[]
  granted: number
  counted: number
  /** Evals that were granted so shortly before a kill of the primary that their count may have been lost with it. */
  mayBeLost: number
  worstEvalMs: number
}

type Options = { pairs: number; faultMs: number; onProof?: (proof: Proof) => void }

const writers = 8
/** Three times `wal_writer_delay`, and the way to the client: counts do not wait for the disk. */
const unflushedMs = 1000

type Scene = { cluster: ReplicatedCluster; proxies: DatabaseProxy[]; targets: Target[]; killed(): void }

/** The failure of the primary; the returned function ends it. */
const faults: Record<string, (scene: Scene) => Promise<() => Promise<void>>> = {
  async killed({ cluster, proxies, killed }) {
    killed()
    await cluster.killPrimary()
    return async () => {
      const url = await cluster.startPrimaryAgain()
      for (const proxy of proxies) proxy.leadTo(url)
    }
  },

  async frozen({ cluster }) {
    cluster.signalPrimary('SIGSTOP')
    return async () => cluster.signalPrimary('SIGCONT')
  },

  /** The other process continues to write. */
  async 'cut off from one process, silently'({ proxies: [proxy], targets: [target] }) {
    const [{ freeze, thaw }, cutOff] = [proxy as DatabaseProxy, target as Target]
    cutOff.takesWrites = false
    freeze()
    return async () => {
      thaw()
      cutOff.takesWrites = true
    }
  },

  async 'cut off from all processes'({ proxies }) {
    for (const proxy of proxies) proxy.shut()
    return async () => {
      for (const proxy of proxies) proxy.open()
    }
  },
}

/** Plays each fault once, the promotion of the standby last, with this many pairs of a write and an eval in all. */
export async function proveWithoutPrimary({ pairs: wanted, faultMs, onProof }: Options): Promise<Result> {
  const cluster = await ReplicatedCluster.start({ appliesFirst: true })
  const proxies: DatabaseProxy[] = []
  const servers: ServerProcess[] = []
  try {
    await migrate({ url: cluster.url })
    const targets: Target[] = []
    let log = ''
    for (let n = 0; n < 2; n++) {
      const proxy = await startDatabaseProxy(cluster.url)
      proxies.push(proxy)
      const env = {
        DATABASE_URL: proxy.url,
        STANDBY_DATABASE_URL: cluster.standbyUrl,
        MASTER_KEY: testMasterKey,
        EVAL_RATE_LIMIT_PER_SECOND: '1000000',
        LOG_LEVEL: 'info',
      }
      const server = await spawnApi(env, (text) => {
        log += text
      })
      servers.push(server)
      targets.push({ url: server.url, takesWrites: true })
    }
    const areReady = () => log.split('the standby will answer evals').length > servers.length
    await untilInTime(areReady, 'the standby is not ready')
    return await play({ cluster, proxies, targets, wanted, faultMs, ...(onProof && { onProof }) })
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await cluster.remove()
  }
}

type Play = Omit<Scene, 'killed'> & { wanted: number; faultMs: number; onProof?: (proof: Proof) => void }

async function play({ cluster, proxies, targets, wanted, faultMs, onProof }: Play): Promise<Result> {
  const tenant = await createTenantIn(cluster.url)
  await Pairs.prepare(tenant, targets[0]?.url ?? '', writers)
  const pairs = new Pairs(tenant, targets, writers)
  const proofs: Proof[] = []
  const kills: number[] = []
  const scene = { cluster, proxies, targets, killed: () => void kills.push(performance.now()) }
  const share = wanted / (2 * (Object.keys(faults).length + 1))

  async function prove(fault: string, inflict: () => Promise<() => Promise<void>>): Promise<void> {
    const before = pairs.count
    await goOn(pairs, share)
    const evals = pairs.grantedAt.length
    const refused = pairs.refused.length
    const end = await inflict()
    await wait(faultMs)
    await end()
    const granted = pairs.grantedAt.length - evals
    await goOn(pairs, share)
    const late = pairs.refused.slice(refused)
    const proof = { fault, pairs: pairs.count - before, evals: granted, refused: late.length, refusedMs: spanOf(late) }
    proofs.push(proof)
    onProof?.(proof)
    if (granted === 0) pairs.findings.push(`${fault}: no eval was answered`)
  }

  for (const [fault, inflict] of Object.entries(faults)) {
    await prove(fault, () => inflict(scene))
    await cluster.isFollowed()
    // So that each process has seen this once.
    await wait(3000)
  }
  await prove('killed, and its standby promoted', async () => {
    scene.killed()
    await cluster.failOver()
    // The old primary comes back, and the address still leads to it: commits there wait in vain.
    const old = await cluster.startPrimaryAgain()
    for (const proxy of proxies) proxy.leadTo(old)
    return async () => {
      for (const proxy of proxies) {
        proxy.leadTo(cluster.url)
        proxy.shut()
        proxy.open()
      }
    }
  })
  await pairs.end()
  const granted = pairs.grantedAt.length
  const mayBeLost = pairs.grantedAt.filter((at) =>
    kills.some((kill) => at <= kill + 50 && at > kill - unflushedMs),
  ).length
  const counted = await readCounted(cluster.url, tenant.organizationId, granted)
  const findings = [...new Set(pairs.findings)]
  if (counted > granted) findings.push(`${counted} evals were counted, but ${granted} answered`)
  if (counted < granted - mayBeLost) findings.push(`${granted} evals were answered, but ${counted} counted`)
  return { proofs, findings, granted, counted, mayBeLost, worstEvalMs: pairs.worstEvalMs }
}

function goOn(pairs: Pairs, more: number): Promise<void> {
  const goal = pairs.count + more
  return untilInTime(() => pairs.count >= goal, 'there are no more pairs')
}

/** How long at least one of them was waited for. */
function spanOf(refused: readonly { from: number; until: number }[]): number {
  let [ms, end] = [0, 0]
  for (const { from, until } of refused.toSorted((a, b) => a.from - b.from)) {
    ms += Math.max(0, until - Math.max(from, end))
    end = Math.max(end, until)
  }
  return Math.round(ms)
}

/** The count of the database once it is complete, or does not change any more. */
async function readCounted(url: string, organizationId: string, granted: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const read = async () => {
    const { rows } = await pool.query('select month_used::int as used from eval_counter where organization_id = $1', [
      organizationId,
    ])
    return rows[0].used as number
  }
  try {
    let counted = await read()
    for (let looks = 0; counted !== granted && looks < 10; looks++) {
      await wait(500)
      counted = await read()
    }
    return counted
  } finally {
    await pool.end()
  }
}
