import cluster from 'node:cluster'
import { pino } from 'pino'
import { ApiProcesses } from '../../src/processes/api-processes.ts'
import { answerPrimary, followPrimary, tellPrimary } from '../../src/processes/primary.ts'

/* A primary of two processes that asks each of them twice, prints their answers, and ends them. */

if (cluster.isPrimary) {
  const logger = pino({ level: 'silent' })
  const processes = new ApiProcesses({ count: 2, logger, env: {} })
  const url = await processes.start()
  const [pids, unknown] = await Promise.all([processes.ask('pid'), processes.ask('what nobody knows')])
  processes.tellToStop()
  await processes.ended()
  console.log(JSON.stringify({ url, pids, unknown }))
  process.exit(0)
} else {
  followPrimary({ stop: () => process.exit(0), leave: () => {} })
  answerPrimary('pid', async () => process.pid)
  tellPrimary({ kind: 'ready', url: 'http://here' })
}
