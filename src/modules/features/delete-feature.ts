import { conflict } from '../../core/errors.ts'
import { noInput } from '../../core/input.ts'
import { newEvent } from '../../events/event.ts'
import { defineWrite } from '../../operation/operation.ts'
import { countCatalogBytes } from '../organizations/catalog-caps.ts'
import { renewCatalogVersion } from '../organizations/organization.ts'
import { lockFeature } from './feature.ts'

export const deleteFeature = defineWrite({
  name: 'deleteFeature',
  summary: 'Delete a feature that nothing refers to.',
  method: 'DELETE',
  route: '/org/features/{key}',
  service: 'api',
  labels: ['features:write'],
  locks: 'organization',
  status: 204,
  input: noInput,
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, sql, now, organizationId, path, limits }) {
    const { bytesBefore } = await renewCatalogVersion(tx, organizationId)
    const { key } = await lockFeature(sql, organizationId, path.key)

    const reference = { organizationId, featureKey: key }
    const grant = await tx.planGrant.findFirst({ where: reference })
    const override = grant ? null : await tx.override.findFirst({ where: reference })
    if (grant || override) {
      const where = grant
        ? `plan "${grant.planKey}" grants it`
        : `subscriber "${override?.subscriberId}" has an override`
      throw conflict(
        { field: 'feature', value: key },
        `Feature "${key}" is still referenced: ${where}. Remove it there first; archived plans and expired overrides count.`,
      )
    }
    await tx.feature.delete({ where: { organizationId_key: { organizationId, key } } })
    await countCatalogBytes(tx, organizationId, { bytesBefore, limits })
    return { result: key, details: null, events: [newEvent(organizationId, now, { type: 'catalog.updated' })] }
  },
})
