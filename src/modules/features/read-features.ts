import { defineInput, noInput } from '../../core/input.ts'
import { defineRead } from '../../operation/operation.ts'
import { type Feature, loadFeature } from './feature.ts'

export const listFeatures = defineRead({
  name: 'features',
  route: '/org/features',
  service: 'api',
  labels: ['features:read'],
  input: defineInput({}, { unknown: 'reject', noun: 'query parameter' }),
  async run({ db, organizationId }): Promise<Feature[]> {
    return db.feature.findMany({
      where: { organizationId },
      orderBy: [{ createdAt: 'desc' }, { key: 'asc' }],
    })
  },
})

export const readFeature = defineRead({
  name: 'feature',
  route: '/org/features/{key}',
  service: 'api',
  labels: ['features:read'],
  input: noInput,
  async run({ db, organizationId, path }): Promise<Feature> {
    return loadFeature(db, organizationId, path.key)
  },
})
