import { type ApiExample, pathOf, writeExample } from '../../components/api/api-examples.ts'

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
  const body = {
    ...common,
    kind: String(kind).toLowerCase(),
    ...(valueType !== undefined && { value_type: String(valueType).toLowerCase() }),
  }
  return writeExample({ method: 'POST', path: '/org/features', body, mutation: 'createFeature', input, answer: 'key' })
}

export function updateFeatureExample(key: string, changes: Record<string, unknown>): ApiExample {
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/features/{key}', key),
    body: changes,
    mutation: 'updateFeature',
    input: { key, ...changes },
    answer: 'key updatedAt',
  })
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

export function deleteFeatureExample(key: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/features/{key}', key),
    mutation: 'deleteFeature',
    input: { key },
  })
}

export function removeOverrideExample(subscriberId: string, featureKey: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/subscribers/{subscriber_id}/overrides/{feature_key}', subscriberId, featureKey),
    mutation: 'deleteOverride',
    input: { subscriberId, featureKey },
  })
}
