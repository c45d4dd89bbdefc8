import type { ApiExample } from '../../components/api/api-examples.ts'

export const listPlans: ApiExample = {
  method: 'GET',
  path: '/org/plans',
  graphql: { document: '{ plans { key name grants { feature kind limit value } } }' },
}

export function readPlan(key: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/plans/${encodeURIComponent(key)}`,
    graphql: {
      document: 'query Plan($key: ID!) { plan(key: $key) { key name grants { feature kind limit value } updatedAt } }',
      variables: { key },
    },
  }
}
