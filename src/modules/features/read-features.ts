import { defineInput, noInput } from '../../core/input.ts'
import { defineRead } from '../../operation/operation.ts'
import { type Feature, featureAnswer, featuresAnswer, loadFeature } from './feature.ts'

export const listFeatures = defineRead({
  name: 'features',
  summary: 'List the whole catalog, newest first.',
  route: '/org/features',
  service: 'api',
  labels: ['features:read'],
  input: defineInput({}, { unknown: 'reject', noun: 'query parameter' }),
  answer: featuresAnswer,
  async run({ db, organizationId }): Promise<Feature[]> {
    return db.feature.findMany({
      where: { organizationId },
      orderBy: [{ createdAt: 'desc' }, { key: 'asc' }],
    })
  },
})

export const readFeature = defineRead({
  name: 'feature',
  summary: 'Read a feature.',
  route: '/org/features/{key}',
  service: 'api',
  labels: ['features:read'],
  input: noInput,
  answer: featureAnswer,
  async run({ db, organizationId, path }): Promise<Feature> {
    return loadFeature(db, organizationId, path.key)
  },
})
