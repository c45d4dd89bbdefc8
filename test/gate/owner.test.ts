import { expect, it, onTestFinished } from 'vitest'
import { readDecisions } from '../../src/gate/statement/eval-decisions.ts'
import { GateConnection } from '../../src/gate/statement/gate-connection.ts'
import { gateStatement } from '../../src/gate/statement/gate-statement.ts'
import { gateTexts } from '../../src/gate/statement/gate-text.ts'
import { database, seedVendor } from './harness.ts'

it("the owner of an organization's evals is its creator, or the organization itself if an operator created it", async () => {
  const [mine, operators] = [await seedVendor(), await seedVendor()]
  await database.query(`update organization set creator_id = 'ada' where organization_id = $1`, [mine.organizationId])
  const evals = [mine, operators].map(({ keyHash }) => ({
    keyHash,
    keyAddress: null,
    heldVersion: null,
    subscriberId: 'acme',
    features: ['seats'],
    areFeaturesKnown: false,
  }))
  const limits = { rateLimitPerSecond: 100, tokenRateShare: 0.5, monthlyAllotment: null, lockTimeoutMs: 1000 }
  const defaults = { texts: gateTexts(), roles: ['evaluator'], ...limits }
  const connection = new GateConnection({ pool: database, standby: null, timeoutMs: 3000 })
  onTestFinished(() => connection.release())

  const { rows } = await connection.query(
    (how) => gateStatement(evals, defaults, how),
    () => {},
  )
  const { tallies } = readDecisions(rows, evals)

  expect(tallies.get(mine.organizationId)).toMatchObject({ ownerId: 'ada' })
  expect(tallies.get(operators.organizationId)).toMatchObject({ ownerId: operators.organizationId })
})
