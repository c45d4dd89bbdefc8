import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { findReadOperation } from '../../src/modules/find-read-operation.ts'
import { acceptsIdempotencyKey } from '../../src/operation/idempotent-request.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'
import { fc, randomRuns } from '../support/random.ts'
import { type RepeatedWrite, sendOnce } from '../support/repeated.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { stateOf } from '../support/state.ts'

const service = await sharedService()
const operations = restRoutes.map(({ operation }) => operation)
const namesOf = (which: (operation: AnyOperation) => boolean) =>
  operations
    .filter(which)
    .map(({ name }) => name)
    .toSorted()

describe('the operations', () => {
  it('that accept an Idempotency-Key are all writes of members, except imports and writes that may show a secret', () => {
    const isWrite = ({ kind }: AnyOperation) => kind === 'write' || kind === 'bulk_write'

    expect(namesOf((operation) => isWrite(operation) && !acceptsIdempotencyKey(operation))).toEqual([
      'createApiKey',
      'createInvite',
      'importSubscribers',
      'putWebhook',
      'rotateWebhook',
    ])
    expect(namesOf((operation) => acceptsIdempotencyKey(operation) && !isWrite(operation))).toEqual([])
    expect(namesOf(acceptsIdempotencyKey).length).toBeGreaterThan(25)
  })

  it('whose answers may be too large to store have a read that returns the same object', () => {
    const isSmall = ({ name }: AnyOperation) => /Subscription$|Events?$/.test(name)

    expect(
      namesOf(
        (each) =>
          acceptsIdempotencyKey(each) && each.answer !== null && !isSmall(each) && !findReadOperation(each.answer),
      ),
    ).toEqual([])
  })
})

const keys = fc.constantFrom('a', 'b', 'c')
const write: fc.Arbitrary<RepeatedWrite> = fc.oneof(
  keys.map((key): RepeatedWrite => ['POST', '/org/features', { key, name: key, kind: 'flag' }]),
  keys.map((key): RepeatedWrite => ['DELETE', `/org/features/${key}`]),
  fc.tuple(keys, keys).map(([key, name]): RepeatedWrite => ['PATCH', `/org/features/${key}`, { name }]),
  keys.map((id): RepeatedWrite => ['POST', '/org/subscribers', { subscriber_id: id }]),
  keys.map((id): RepeatedWrite => ['DELETE', `/org/subscribers/${id}`]),
  fc
    .tuple(keys, keys, fc.boolean())
    .map(
      ([id, key, allowed]): RepeatedWrite => [
        'PUT',
        `/org/subscribers/${id}/overrides/${key}`,
        { kind: 'flag', allowed },
      ],
    ),
)

/** Loads the organization's rows, without the values that differ between organizations and runs. */
async function loadRows({ organizationId }: Caller): Promise<unknown> {
  const { kept_answer: _, ...state } = await stateOf(service.database, organizationId)
  const ofNouns = ['feature', 'subscriber', 'override'].map((table) =>
    (state[table] ?? []).map((row) => {
      const { feature_key, subscriber_id, name, allowed } = JSON.parse(row)
      return JSON.stringify({ feature_key, subscriber_id, name, allowed })
    }),
  )
  return ofNouns.map((rows) => rows.toSorted())
}

it('repeating writes at any time has no further effect, and each repetition gets the first answer', async () => {
  const repeatedWrites = fc.array(fc.record({ write, repeats: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  const law = async (writes: { write: RepeatedWrite; repeats: number[] }[]) => {
    const [plain, repeating] = [await service.organization(), await service.organization()]
    const firsts: { status: number; text: string }[] = []
    for (const [index, { write: request, repeats }] of writes.entries()) {
      const answer = await plain.rest(...request)
      const first = await sendOnce(service.url, repeating, request, `k${index}`)
      expect(first).toMatchObject({ status: answer.status, replayed: null })
      firsts.push(first)
      for (const at of repeats.map((each) => each % firsts.length)) {
        const again = await sendOnce(service.url, repeating, (writes[at] as { write: RepeatedWrite }).write, `k${at}`)
        expect(again).toMatchObject({ status: firsts[at]?.status, text: firsts[at]?.text, replayed: 'true' })
      }
    }
    expect(await loadRows(repeating)).toEqual(await loadRows(plain))
  }

  // Runs fewer cases than usual, because each is a whole series of writes.
  await fc.assert(fc.asyncProperty(repeatedWrites, law), { numRuns: randomRuns / 5 })
})
