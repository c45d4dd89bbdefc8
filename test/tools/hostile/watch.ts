import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Tenant, Tenants } from '../../support/tenants.ts'
import type { WatcherData, WatchResult } from './watcher.ts'

export type { WatchResult } from './watcher.ts'

/** Watches a server from a separate thread, so that this program's own work does not make the server look slow. */
export class ServerWatch {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  static async start(target: Pick<WatcherData, 'port' | 'pid' | 'probes'>, { key }: Tenant): Promise<ServerWatch> {
    const workerData: WatcherData = { ...target, key, ...neighbourhood }
    const worker = new Worker(new URL('./watcher.ts', import.meta.url), { workerData })
    await once(worker, 'message')
    return new ServerWatch(worker)
  }

  /** The measurements since the last call. */
  async take(): Promise<WatchResult> {
    this.#worker.postMessage({ take: true })
    const [watched] = await once(this.#worker, 'message')
    return watched
  }

  /** Sets the process that now answers at the port. */
  follow(pid: number): void {
    this.#worker.postMessage({ pid })
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

export const neighbourhood = { subscriber: 'neighbour', feature: 'seats' }

/** A tenant with a small catalog, which keeps checking one of its features. */
export async function createNeighbour(tenants: Tenants, port: number): Promise<Tenant> {
  const tenant = await tenants.create()
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...tenant.headers },
      body: JSON.stringify(body),
    })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const { subscriber, feature } = neighbourhood
  await post('/org/features', { key: feature, name: 'Seats', kind: 'limit' })
  await post('/org/plans', { key: 'pro', name: 'Pro', grants: { [feature]: { kind: 'limit', limit: 5 } } })
  await post('/org/subscribers', { subscriber_id: subscriber })
  await post(`/org/subscribers/${subscriber}/subscriptions`, { plan_id: 'pro' })
  return tenant
}
