/**
 * npm run test:faults [-- --seed S] [-- --only NAME] [-- --long]
 *
 * Runs the service under load as in production, with two API processes and two workers on one PostgreSQL, and plays one
 * fault after the other. Afterwards it compares a ledger of every write, eval and event with the database.
 * Exits with code 1 when the two differ.
 */
import { parseArgs } from 'node:util'
import { hasFaketime } from '../../support/fake-clock.ts'
import { mayMountDisks } from '../../support/small-disk.ts'
import { pgbouncerVersion } from '../../support/spawn-pgbouncer.ts'
import { hasDebianPostgres } from './replicated-cluster.ts'
import { describeFindings, tableHead, tableRow } from './report.ts'
import { runFaults } from './run-faults.ts'
import { scenarios } from './scenarios.ts'

// On exit, everything that was started ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** Only the faults whose name matches this regular expression. */
    only: { type: 'string' },
    /** More rounds of each fault, longer faults, and limits for answers and recovery. */
    long: { type: 'boolean', default: false },
  },
})

const seed = Number(options.seed ?? Math.floor(Math.random() * 1e6))
const chosen = scenarios.filter(({ name }) => new RegExp(options.only ?? '').test(name))
if (pgbouncerVersion === null) console.log('PgBouncer is not installed: no fault is played behind it.')
if (!hasDebianPostgres) console.log("Debian's PostgreSQL is not installed: no failover to a standby is played.")
if (!mayMountDisks()) console.log('This user may not mount a disk: no disk gets full.')
if (!hasFaketime) console.log('libfaketime is not installed: no month ends.')
console.log(`Repeat this run with --seed ${seed}.\n\n${tableHead()}`)
const rows = await runFaults({
  scenarios: chosen,
  isLong: options.long,
  seed,
  onRow: (row) => console.log(tableRow(row)),
})
for (const line of rows.flatMap(describeFindings)) console.log(`\n${line}`)
if (rows.length === 0 || rows.some(({ findings }) => findings.length > 0)) process.exitCode = 1
