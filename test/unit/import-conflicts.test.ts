import pg from 'pg'
import { expect, it } from 'vitest'
import type { DomainError } from '../../src/core/errors.ts'
import { conditionFailed } from '../../src/database/fail-unless.ts'
import { applyBatch, FailureBudget, type ImportCall } from '../../src/modules/imports/apply-batch.ts'
import type { LineOutcome } from '../../src/modules/imports/import-result.ts'

const unchanged: LineOutcome = { result: 'unchanged', details: null }

/** The error of a batch that creates a subscriber which another request has just created. */
function createConflict(): Error {
  const error = new pg.DatabaseError('division by zero', 0, 'error')
  return Object.assign(error, { code: conditionFailed, severity: 'ERROR' })
}

/** An import whose transactions fail with a conflict if `conflicts` says so, and otherwise change nothing. */
function importWith(conflicts: (attempt: number) => boolean): ImportCall {
  let attempt = 0
  const transact = async () => {
    attempt += 1
    if (conflicts(attempt)) throw createConflict()
    return [unchanged]
  }
  return { organizationId: 'acme', memberId: 'member', isDryRun: false, limits: {}, transact } as never
}

const line = { number: 1, line: null, refusal: null } as never

it('an import survives any number of conflicts that its next attempts solve', async () => {
  const call = importWith((attempt) => attempt % 5 !== 0)
  const failures = new FailureBudget()

  for (let batch = 0; batch < 50; batch++) expect(await applyBatch(call, [line], failures)).toEqual([unchanged])
})

it('a line of an import that always conflicts fails with 503, and so does the import after 40 such lines', async () => {
  const call = importWith(() => true)
  const failures = new FailureBudget()
  const refused = { code: 'SERVICE_UNAVAILABLE', status: 503 }

  for (let batch = 0; batch < 40; batch++) {
    const [outcome] = await applyBatch(call, [line], failures)
    expect(outcome?.result as DomainError).toMatchObject(refused)
  }

  await expect(applyBatch(call, [line], failures)).rejects.toMatchObject(refused)
})
