/**
 * npm run test:faults [-- --seed S] [-- --only NAME] [-- --long]
 *
 * Runs the service under load as production does, two API processes and two workers on one PostgreSQL, and has one fault
 * after the other happen to it. Afterwards a ledger of every write, eval and event is compared to what the database has.
 * Ends with exit code 1 when the two differ.
 */
import { parseArgs } from 'node:util'
import { tableHead, tableRow } from './report.ts'
import { runFaults } from './run-faults.ts'
import { scenarios } from './scenarios.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** Only the faults whose name matches this regular expression. */
    only: { type: 'string' },
    /** Many rounds of each with longer faults, and limits for answers and recovery. */
    long: { type: 'boolean', default: false },
  },
})

const seed = Number(options.seed ?? Math.floor(Math.random() * 1e6))
const chosen = scenarios.filter(({ name }) => new RegExp(options.only ?? '').test(name))
console.log(`Repeat this run with --seed ${seed}.\n\n${tableHead()}`)
const rows = await runFaults({
  scenarios: chosen,
  isLong: options.long,
  seed,
  onRow: (row) => console.log(tableRow(row)),
})
for (const { name, findings } of rows) {
  for (const finding of findings) console.log(`\n${name}: ${finding}`)
}
if (rows.length === 0 || rows.some(({ findings }) => findings.length > 0)) process.exitCode = 1
