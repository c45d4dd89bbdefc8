import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { newId } from '../../src/core/ids.ts'
import type { AnyOperation, MemberOperation } from '../../src/operation/operation.ts'
import { exampleBody } from '../support/example-body.ts'
import { inTransaction, untilOthersWaitFor } from '../support/race.ts'
import { expectRefusal } from '../support/refusal.ts'
import { type Answer, type Caller, sharedService } from '../support/service.ts'
import { auditOf, stateOf } from '../support/state.ts'

const service = await sharedService()
const { pool } = service.database
const recordedOperations = restRoutes
  .map(({ operation }): AnyOperation => operation)
  .filter(
    (operation): operation is MemberOperation =>
      operation.kind === 'write' ||
      operation.kind === 'bulk_write' ||
      (operation.kind === 'read' && operation.recorded === true),
  )

function sendExampleRequest(caller: Caller, operation: MemberOperation): Promise<Answer> {
  const { method, route } = operation
  const path = route.replaceAll(/\{(key|subscriber_id|feature_key)\}/g, 'some').replaceAll(/\{\w+\}/g, newId())
  return caller.rest(method, path, exampleBody(operation))
}

describe.each(recordedOperations.map((operation) => [`${operation.method} ${operation.route}`, operation] as const))(
  '%s',
  (_row, operation) => {
    it("is refused, recorded as rejected, and changes nothing if the caller's key is revoked before it commits", async () => {
      const caller = await service.organization()
      const before = await stateOf(service.database, caller.organizationId)

      const answer = await inTransaction(pool, async (client) => {
        await client.query('delete from api_key where organization_id = $1', [caller.organizationId])
        const request = sendExampleRequest(caller, operation)
        await untilOthersWaitFor(client)
        await client.query('commit')
        return request
      })

      expectRefusal(answer, 'UNAUTHORIZED', null)
      const { method, route } = operation
      const entry = { method, route, outcome: 'rejected', status: 401 }
      expect(await auditOf(service.database, caller.organizationId)).toEqual([entry])
      expect(await stateOf(service.database, caller.organizationId)).toEqual({ ...before, api_key: [] })
    })

    it('does not lock the row of the calling member while it waits for the organization', async () => {
      const caller = await service.organization()
      const { organizationId, memberId } = caller

      const answer = await inTransaction(pool, async (client) => {
        await client.query('select 1 from organization where organization_id = $1 for no key update', [organizationId])
        const request = sendExampleRequest(caller, operation)
        await Promise.race([request, untilOthersWaitFor(client).catch(() => {})])
        // Fails if the request has locked the row: a revocation that has locked the organization would wait for the row,
        // and the two would deadlock.
        await client.query('select 1 from member where organization_id = $1 and member_id = $2 for update nowait', [
          organizationId,
          memberId,
        ])
        await client.query('rollback')
        return request
      })

      expect([200, 201, 204, 404, 409, 422]).toContain(answer.status)
    })
  },
)
