import { onTestFinished } from 'vitest'
import { type ServerProcess, spawnApi, spawnWorker } from './spawn-service.ts'

/** Starts a worker, and stops it after the test at the latest. */
export async function startWorkerProcess(env: Record<string, string>): Promise<ServerProcess> {
  return endWithTest(await spawnWorker(env))
}

/** Starts an API process, and stops it after the test at the latest. */
export async function startApiProcess(env: Record<string, string>): Promise<ServerProcess & { url: string }> {
  return endWithTest(await spawnApi(env))
}

function endWithTest<Process extends ServerProcess>(server: Process): Process {
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}
