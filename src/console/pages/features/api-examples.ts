import type { ApiExample } from '../../components/api/api-examples.ts'

export const listFeatures: ApiExample = {
  method: 'GET',
  path: '/org/features',
  graphql: { document: '{ features { key name kind valueType options } }' },
}

export function readFeature(key: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/features/${encodeURIComponent(key)}`,
    graphql: {
      document: 'query Feature($key: ID!) { feature(key: $key) { key name kind valueType options } }',
      variables: { key },
    },
  }
}
