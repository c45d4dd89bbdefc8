/**
 * npm run test:hostile [-- --requests 100000] [-- --seed S] [-- --strict] [-- --only NAME]
 *
 * Runs one attack after another on a server, and measures the effect on other callers. Exits with code 1 when anything is
 * out of bounds. Uses its own PostgreSQL, or a new database on DATABASE_URL's server.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { limitOf } from '../../support/limit-of.ts'
import { generatedAttacks } from './attacks/generated.ts'
import { namedAttacks } from './attacks.ts'
import { lenient, strict } from './bounds.ts'
import { tableHead, tableRow } from './report.ts'
import { runHostile } from './run-hostile.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    /** Ten times as much of everything, with limits on times, for a machine that does nothing else. */
    strict: { type: 'boolean', default: false },
    /** Runs only attacks whose names match this regular expression. */
    only: { type: 'string' },
  },
})

const seed = Number(options.seed ?? Math.floor(Math.random() * 1e6))
const requests = Number(options.requests ?? (options.strict ? 100_000 : 10_000))
const attacks = [...namedAttacks, ...generatedAttacks(requests, seed)].filter(({ name }) =>
  new RegExp(options.only ?? '').test(name),
)
const dataDir = mkdtempSync(join(tmpdir(), 'entitlements-hostile-'))
const settings = { fsync: 'off', full_page_writes: 'off' }
const postgres = await startEmbeddedPostgres({ dataDir, log: console.log, settings })

try {
  console.log(`Repeat this run with --seed ${seed}.`)
  const rows = await runHostile({
    databaseUrl: postgres.url,
    attacks,
    scale: options.strict ? 10 : 1,
    seed,
    bounds: options.strict ? strict : lenient,
    timeoutMs: limitOf(300_000),
    onQuiet: (variant, { checkP50Ms, checkP99Ms, healthWorstMs, nowMegabytes }) =>
      console.log(
        `${variant}, quiet: checks ${checkP50Ms.toFixed(0)} ms (p50) and ${checkP99Ms.toFixed(0)} ms (p99), /healthz at worst ${healthWorstMs.toFixed(0)} ms, ${nowMegabytes.toFixed(0)} MB\n${tableHead()}`,
      ),
    onRow: (row) => console.log(tableRow(row)),
  })
  for (const { name, faults } of rows) {
    for (const fault of faults) console.log(`\n${name}: ${fault}`)
  }
  if (rows.some(({ faults }) => faults.length > 0)) process.exitCode = 1
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
