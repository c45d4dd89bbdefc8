import { testMasterKey } from '../support/master-key.ts'
import { type ServerProcess, spawnApi, spawnWorker } from '../support/spawn-service.ts'

type Api = ServerProcess & { url: string }

/** Two API and two worker processes on one migrated database, as the npm scripts run them. */
type Processes = {
  env: Record<string, string>
  apis: Api[]
  workers: ServerProcess[]
  close(): Promise<void>
}

export async function startProcesses(
  databaseUrl: string,
  own: Record<string, string> = {},
  onLog?: (text: string) => void,
): Promise<Processes> {
  const env = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: testMasterKey,
    EVAL_RATE_LIMIT_PER_SECOND: '1000000',
    EVAL_MONTHLY_ALLOTMENT: 'unlimited',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    WEBHOOK_RETRY_WAITS_SECONDS: '0.2,0.5,1,2,4,8,16',
    ...own,
  }
  const starting = [
    spawnApi(env, onLog),
    spawnApi(env, onLog),
    spawnWorker(env, onLog),
    spawnWorker(env, onLog),
  ] as const
  const close = async () => {
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') await started.value.end('SIGKILL')
    }
  }
  try {
    const [one, two, ...workers] = await Promise.all(starting)
    return { env, apis: [one, two], workers, close }
  } catch (error) {
    await close()
    throw error
  }
}
