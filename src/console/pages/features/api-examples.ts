import type { ApiExample } from '../../components/api/api-examples.ts'

export const listFeatures: ApiExample = {
  method: 'GET',
  path: '/org/features',
  graphql: { document: '{ features { key name kind valueType options } }' },
}

/** `query` is that of the REST door. */
export function listOverrides(query: string): ApiExample {
  const { live, permanent, order } = Object.fromEntries(new URLSearchParams(query))
  const filter = { ...(live && { live: live === 'true' }), ...(permanent && { permanent: true }) }
  return {
    method: 'GET',
    path: `/org/overrides?${query}`,
    graphql: {
      document: `query Overrides($filter: OverrideFilter, $order: OverrideOrder) {
        overrides(filter: $filter, order: $order) {
          nodes { subscriberId feature allowed limit value expiresAt note } pageInfo { endCursor hasNextPage }
        }
      }`,
      variables: { filter, ...(order && { order: order.toUpperCase() }) },
    },
  }
}

/** `input` in the names of GraphQL. */
export function createFeatureExample(input: Record<string, unknown>): ApiExample {
  const { valueType, kind, ...common } = input
  return {
    method: 'POST',
    path: '/org/features',
    body: {
      ...common,
      kind: String(kind).toLowerCase(),
      ...(valueType !== undefined && { value_type: String(valueType).toLowerCase() }),
    },
    graphql: {
      document: 'mutation CreateFeature($input: CreateFeatureInput!) { createFeature(input: $input) { key } }',
      variables: { input },
    },
  }
}

export function updateFeatureExample(key: string, changes: Record<string, unknown>): ApiExample {
  return {
    method: 'PATCH',
    path: `/org/features/${encodeURIComponent(key)}`,
    body: changes,
    graphql: {
      document:
        'mutation UpdateFeature($input: UpdateFeatureInput!) { updateFeature(input: $input) { key updatedAt } }',
      variables: { input: { key, ...changes } },
    },
  }
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
