import { expect, it, onTestFinished, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { loopSlices } from '../../src/fairness/loop-slices.ts'
import { importLines } from '../support/import.ts'
import { type Caller, sharedService } from '../support/service.ts'

const service = await sharedService()
const linesType = 'application/x-ndjson'

/** An organization that a person created, with this many features. */
async function organizationOf(person: string, features: number): Promise<Caller> {
  const caller = await service.organization()
  const { pool } = service.database
  await pool.query('update organization set creator_id = $2 where organization_id = $1', [
    caller.organizationId,
    person,
  ])
  await pool.query(
    `insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
     select $1, 'f' || n, 'Feature', 'flag', now(), now() from generate_series(1, $2::int) n`,
    [caller.organizationId, features],
  )
  return caller
}

/** Lines with twenty errors each. */
const refusedLines = Array.from({ length: 100 }, (_, line) => ({
  subscriber_id: `s${line}`,
  overrides: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, { kind: 'limit', limit: -1 }])),
}))

it.each([
  ['a list in REST', (caller: Caller) => caller.rest('GET', '/org/features')],
  ['a list in GraphQL', (caller: Caller) => caller.graphql('{ features { key name kind createdAt updatedAt } }')],
  ['the result of an import', (caller: Caller) => importLines(caller, refusedLines)],
  ['the last line of an import', (caller: Caller) => importLines(caller, refusedLines, { accept: linesType })],
])(
  '%s is written in slices of the event loop that are charged to the owner, not to the address',
  async (_what, ask) => {
    const person = newId()
    const caller = await organizationOf(person, 2_000)
    const slices = vi.spyOn(loopSlices, 'next')
    const { sliceMs } = loopSlices
    // Each pause ends a slice, so that a fast machine does not write the answer in the first one.
    loopSlices.sliceMs = -1
    onTestFinished(() => {
      slices.mockRestore()
      loopSlices.sliceMs = sliceMs
    })

    const { status } = await ask(caller)

    const owners = new Set(slices.mock.calls.map(([owner]) => owner))
    expect(status).toBe(200)
    expect(owners).toContain(person)
    expect(owners).not.toContain('127.0.0.1')
  },
)
