/**
 * npm run test:standby [-- --pairs 10000]
 *
 * Runs two API processes on a primary, with its synchronous standby as STANDBY_DATABASE_URL. Kills, freezes, cuts off and
 * replaces the primary, while clients send pairs of a write and an eval at another process, and further evals. Exits with
 * code 1 when an eval does not show an answered write or is missing in the count, or when evals were refused for over a second.
 */
import { parseArgs } from 'node:util'
import { hasDebianPostgres } from '../replicated-cluster.ts'
import { proveWithoutPrimary } from './prove.ts'

// On exit, everything that was started ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '10000' } } })
if (!hasDebianPostgres) throw new Error("Debian's PostgreSQL is not installed, which makes the standby.")

const { proofs, findings, ...totals } = await proveWithoutPrimary({
  pairs: Number(values.pairs),
  faultMs: 10_000,
  onProof: ({ fault, pairs }) => console.log(`${fault}: ${pairs} pairs`),
})
console.table(proofs)
console.log(totals)
const refusedMs = proofs.reduce((sum, proof) => sum + proof.refusedMs, 0)
console.log(`Evals were refused for ${refusedMs} ms in all.`)
for (const finding of findings.slice(0, 20)) console.log(finding)
if (findings.length > 0 || refusedMs > 1000) process.exitCode = 1
