import { conflict } from '../../core/errors.ts'
import { noInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { countCatalogBytes } from '../organizations/catalog-caps.ts'
import { renewCatalogVersion } from '../organizations/organization.ts'
import { lockPlan } from './plan.ts'

export const deletePlan = defineWrite({
  name: 'deletePlan',
  summary: 'Delete a plan that never had a subscription.',
  method: 'DELETE',
  route: '/org/plans/{key}',
  service: 'api',
  labels: ['plans:write'],
  locks: 'organization',
  status: 204,
  input: noInput,
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, organizationId, path, limits }) {
    const { bytesBefore } = await renewCatalogVersion(tx, organizationId)
    const { key, hadDeletedSubscriber } = await lockPlan(tx, organizationId, path.key, 'update')
    const subscription = await tx.subscription.findFirst({ where: { organizationId, planKey: key } })
    if (subscription || hadDeletedSubscriber) {
      throw conflict(
        { field: 'plan', value: key },
        `Plan "${key}" has subscriptions, current or past. Archive it instead: POST /org/plans/${key}/archive.`,
      )
    }
    await tx.plan.delete({ where: { organizationId_key: { organizationId, key } } })
    await countCatalogBytes(tx, organizationId, { bytesBefore, limits })
    return { result: key, details: null }
  },
})
