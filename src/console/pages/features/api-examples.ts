import { type ApiExample, readExample, writeExample } from '../../components/api/api-examples.ts'

export const listFeatures = readExample('/org/features', '{ features { key name kind valueType options } }')

/** `query` is the query string of the REST request. */
export function listOverrides(query: string): ApiExample {
  const { live, permanent, expires_before: expiresBefore, order } = Object.fromEntries(new URLSearchParams(query))
  const filter = {
    ...(live && { live: live === 'true' }),
    ...(permanent && { permanent: true }),
    ...(expiresBefore && { expiresBefore }),
  }
  return readExample(
    `/org/overrides?${query}`,
    `query Overrides($filter: OverrideFilter, $order: OverrideOrder) {
        overrides(filter: $filter, order: $order) {
          nodes { subscriberId feature allowed limit value expiresAt note } pageInfo { endCursor hasNextPage }
        }
      }`,
    { filter, ...(order && { order: order.toUpperCase() }) },
  )
}

export function readFeature(key: string): ApiExample {
  const document = 'query Feature($key: ID!) { feature(key: $key) { key name kind valueType options } }'
  return readExample('/org/features/{key}', document, { key })
}

/** `input` has the field names of GraphQL. */
export function createFeatureExample(input: Record<string, unknown>): ApiExample {
  return writeExample({ route: 'POST /org/features', mutation: 'createFeature', input, answer: 'key' })
}

export function updateFeatureExample(key: string, changes: Record<string, unknown>): ApiExample {
  const input = { key, ...changes }
  return writeExample({ route: 'PATCH /org/features/{key}', mutation: 'updateFeature', input, answer: 'key updatedAt' })
}

export function deleteFeatureExample(key: string): ApiExample {
  return writeExample({ route: 'DELETE /org/features/{key}', mutation: 'deleteFeature', input: { key } })
}

export function removeOverrideExample(subscriberId: string, featureKey: string): ApiExample {
  const route = 'DELETE /org/subscribers/{subscriber_id}/overrides/{feature_key}'
  return writeExample({ route, mutation: 'deleteOverride', input: { subscriberId, featureKey } })
}
