import { expect, it } from 'vitest'
import { limitOf } from '../../support/limit-of.ts'
import { hasDebianPostgres } from '../../tools/faults/replicated-cluster.ts'
import { proveWithoutPrimary } from '../../tools/faults/without-primary/prove.ts'

it(
  'evals continue without the primary: none is stale, and none is missing from the count',
  async ({ skip }) => {
    if (!hasDebianPostgres) return skip('there is no PostgreSQL with pg_basebackup')

    const { findings } = await proveWithoutPrimary({ pairs: 400, faultMs: 1500 })

    expect(findings.join('\n')).toBe('')
  },
  limitOf(600_000),
)
