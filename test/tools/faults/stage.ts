import { migrate } from '../../../src/database/migrate.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.ts'
import { endOfMonth, FakeClock } from '../../support/fake-clock.ts'
import { findFreePort } from '../../support/free-port.ts'
import { testMasterKey } from '../../support/master-key.ts'
import { type Pgbouncer, spawnPgbouncer } from '../../support/spawn-pgbouncer.ts'
import { type ServerProcess, spawnApi, spawnWorker } from '../../support/spawn-service.ts'
import { Cluster } from './cluster.ts'
import { ReplicatedCluster } from './replicated-cluster.ts'

/** A process of the service, and whether a fault killed it. */
export type Process = { server: ServerProcess; wasKilled: boolean }

export type Api = { port: string; url: string; process: Process }

/**
 * The kinds of stage: on a small disk; with a standby, on Debian's PostgreSQL, for which commits wait if it is synchronous;
 * with a clock that a fault can set, an hour before the end of a month; with PgBouncer between the service and the proxy; or
 * plain.
 */
export const variants = ['direct', 'small disk', 'standby', 'synchronous standby', 'own clock', 'pgbouncer'] as const
export type Variant = (typeof variants)[number]

function startCluster(variant: Variant, clock: FakeClock | null): Promise<Cluster | ReplicatedCluster> {
  if (clock) return ReplicatedCluster.start({ env: clock.env })
  if (variant === 'standby') return ReplicatedCluster.start()
  if (variant === 'synchronous standby') return ReplicatedCluster.start({ isSynchronous: true })
  return Cluster.start({ diskMegabytes: variant === 'small disk' ? 400 : undefined })
}

/** The service as in production: two API processes and two workers on one database, behind a proxy. */
export class Stage {
  readonly cluster: Cluster | ReplicatedCluster
  readonly proxy: DatabaseProxy
  readonly apis: Api[] = []
  readonly workers: Process[] = []
  /** The clock of the database and of all processes; null if they use the machine's. */
  readonly clock: FakeClock | null
  readonly #env: Record<string, string>
  readonly #pgbouncer: Pgbouncer | null
  #log = ''

  private constructor(
    cluster: Stage['cluster'],
    proxy: DatabaseProxy,
    { pgbouncer, clock }: { pgbouncer: Pgbouncer | null; clock: FakeClock | null },
  ) {
    this.cluster = cluster
    this.clock = clock
    this.proxy = proxy
    this.#pgbouncer = pgbouncer
    this.#env = {
      DATABASE_URL: pgbouncer?.url ?? proxy.url,
      DATABASE_DIRECT_URL: proxy.url,
      MASTER_KEY: testMasterKey,
      EVAL_RATE_LIMIT_PER_SECOND: '1000000',
      EVAL_MONTHLY_ALLOTMENT: 'unlimited',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      WEBHOOK_RETRY_WAITS_SECONDS: '0.2,0.5,1,2,4,8,16',
      SHUTDOWN_GRACE_MS: '2000',
      ...clock?.env,
    }
  }

  static async start(variant: Variant): Promise<Stage> {
    const clock = variant === 'own clock' ? new FakeClock(new Date(endOfMonth(new Date()).getTime() - 3_600_000)) : null
    const cluster = await startCluster(variant, clock)
    if (cluster instanceof ReplicatedCluster) await migrate({ url: cluster.url })
    const proxy = await startDatabaseProxy(cluster.url)
    const pgbouncer = variant === 'pgbouncer' ? await spawnPgbouncer(proxy.url) : null
    const stage = new Stage(cluster, proxy, { pgbouncer, clock })
    try {
      for (let n = 0; n < 2; n++) {
        await stage.#addApi()
        stage.workers.push(await stage.startWorker())
      }
      return stage
    } catch (error) {
      await stage.close()
      throw error
    }
  }

  /** Connects directly, without the proxy. */
  get databaseUrl(): string {
    return this.cluster.url
  }

  /** The errors that the processes logged since the last call. */
  takeLog(): string {
    const log = this.#log
    this.#log = ''
    return log
  }

  async #addApi(): Promise<void> {
    const port = `${await findFreePort()}`
    this.apis.push({ port, url: `http://127.0.0.1:${port}`, process: await this.startApi(port) })
  }

  async startApi(port: string): Promise<Process> {
    return { server: await spawnApi({ ...this.#env, PORT: port }, this.#keepLog), wasKilled: false }
  }

  async startWorker(): Promise<Process> {
    return { server: await spawnWorker(this.#env, this.#keepLog), wasKilled: false }
  }

  readonly #keepLog = (text: string) => {
    this.#log = (this.#log + text).slice(-1_000_000)
  }

  async close(): Promise<void> {
    const processes = [...this.apis.map(({ process }) => process), ...this.workers]
    await Promise.all(processes.map(({ server }) => server.end('SIGKILL')))
    await this.#pgbouncer?.stop()
    await this.proxy.close()
    await this.cluster.remove()
    this.clock?.remove()
  }
}
