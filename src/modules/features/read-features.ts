import { defineInput, noInput } from '../../core/input.ts'
import { query } from '../../database/sql.ts'
import { featureTable } from '../../database/table.ts'
import { defineRead } from '../../operation/operation.ts'
import { type Feature, featureAnswer, featuresAnswer, loadFeature } from './feature.ts'

export const listFeatures = defineRead({
  name: 'features',
  summary: 'List the whole catalog, newest first.',
  route: '/org/features',
  service: 'api',
  labels: ['features:read'],
  input: defineInput({}, { unknown: 'reject', term: 'query parameter' }),
  answer: featuresAnswer,
  run: ({ readRows, organizationId }): Promise<Feature[]> =>
    readRows(query`
      select ${featureTable.columns} from feature
       where organization_id = ${organizationId} order by created_at desc, feature_key`),
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
