import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import { newId } from '../../src/core/ids.ts'
import { addsStoredData } from '../../src/operation/operation.ts'
import { exampleBody } from '../support/example-body.ts'
import { sharedService } from '../support/service.ts'
import { stateOf } from '../support/state.ts'
import { setStoredBytes } from '../support/stored-bytes.ts'

const service = await sharedService()
const writes = restRoutes.flatMap(({ operation }) =>
  operation.kind === 'write' || operation.kind === 'bulk_write' ? [operation] : [],
)

/** The writes that free, end, weaken or replace something: they still work in an organization that has reached its cap. */
const allowedWhenFull = `
archivePlan
unarchivePlan
cancelSubscription
deleteApiKey
deleteFeature
deleteInvite
deleteMember
deleteOverride
deletePlan
deleteServiceAccount
deleteSubscriber
deleteWebhook
disableWebhook
enableWebhook
rotateWebhook
setGroupRoles
updateMember
updateServiceAccount`
  .trim()
  .split('\n')

describe('whether a write adds data', () => {
  it('is declared as "no" for exactly the writes in allowedWhenFull', () => {
    const names = writes.filter((operation) => !addsStoredData(operation)).map(({ name }) => name)

    expect(names.toSorted()).toEqual(allowedWhenFull.toSorted())
  })

  it.each(writes.map((operation) => [operation.name, operation] as const))(
    'decides for %s whether it is refused in an organization that has reached its storage cap',
    async (_name, operation) => {
      const caller = await service.organization()
      await setStoredBytes(service.database.pool, caller.organizationId, { total: 1, cap: 1 })
      const before = await stateOf(service.database, caller.organizationId)
      const { method, route } = operation
      const path = route.replaceAll(/\{(key|subscriber_id|feature_key)\}/g, 'some').replaceAll(/\{\w+\}/g, newId())

      const { status, body } = await caller.rest(method, path, exampleBody(operation))

      const isFull = body?.error?.details?.field === 'stored_bytes'
      if (!addsStoredData(operation)) return expect(isFull).toBe(false)
      expect(await stateOf(service.database, caller.organizationId)).toEqual(before)
      expect(isFull).toBe(status === 409)
      // Each line of a bulk write is refused separately, after which no transaction is open.
      if (operation.kind === 'write') expect(status).toBeGreaterThanOrEqual(400)
    },
  )
})
