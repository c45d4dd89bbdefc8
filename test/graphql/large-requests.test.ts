import { afterAll, expect, it } from 'vitest'
import type { Observation } from '../../src/operation/observation.ts'
import { startService } from '../support/service.ts'

/** Counts the turns of the event loop. */
let turn = 0
let counting = setImmediate(function count() {
  turn += 1
  counting = setImmediate(count)
})
afterAll(() => clearImmediate(counting))

const observed: (Observation & { turn: number })[] = []
const service = await startService({}, undefined, (observation) => void observed.push({ ...observation, turn }))

const fieldCount = 25

/**
 * Sends a document whose fields share a list of this many path values. Returns the number of turns of the event loop in which
 * the fields end.
 */
async function countTurns(paramCount: number): Promise<number> {
  const caller = await service.organization()
  const fields = Array.from(
    { length: fieldCount },
    (_, n) => `a${n}: auditEvents(filter: { params: $params }) { nodes { id } }`,
  )
  const params = Array(paramCount).fill({ name: 'key', value: 'seats' })
  const { body } = await caller.graphql(`query ($params: [AuditParamInput!]) { ${fields.join(' ')} }`, { params })

  expect(body.errors).toHaveLength(fieldCount)
  const { requestId } = body.errors[0].extensions
  return new Set(observed.filter((each) => each.requestId === requestId).map((each) => each.turn)).size
}

it('the fields that share a long list have separate turns of the event loop, so that other requests run in between', async () => {
  expect(await countTurns(2)).toBeLessThan(fieldCount)
  expect(await countTurns(1_000)).toBe(fieldCount)
})
