/**
 * npm run test:fresh [-- --pairs 20000]
 *
 * Two API and two worker processes on one database: each write is answered by one process, and then an eval at the other
 * must show it. Exits with code 1 when one does not.
 */
import { parseArgs } from 'node:util'
import { Cluster } from '../tools/faults/cluster.ts'
import { runPairs } from './run-pairs.ts'
import { startProcesses } from './start.ts'

// On exit, everything that was started ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '20000' } } })
const beganAt = performance.now()
const { pairs, stale } = await onOwnDatabase(async (databaseUrl) => {
  const { apis, env, close } = await startProcesses(databaseUrl)
  const urls = apis.map(({ url }) => url)
  return runPairs({ urls, env, pairs: Number(values.pairs) }).finally(close)
})

const total = [...pairs.values()].reduce((sum, count) => sum + count, 0)
console.table(Object.fromEntries(pairs))
console.log(`${total} pairs in ${Math.round((performance.now() - beganAt) / 1000)} s, ${stale.length} stale`)
for (const each of stale.slice(0, 20)) console.log(`  ${each}`)
if (stale.length > 0 || total < Number(values.pairs)) process.exitCode = 1

async function onOwnDatabase<T>(run: (url: string) => Promise<T>): Promise<T> {
  const cluster = await Cluster.start()
  try {
    return await run(cluster.url)
  } finally {
    await cluster.remove()
  }
}
