import { queryClient } from '../../../api/query-client.ts'
import { TypedDocument } from '../../../api/typed-document.ts'
import { MatrixFeaturesDocument, PlansDocument } from '../../../generated/plans.ts'
import { readOptions, refresh } from '../../../session/queries.ts'
import { requestEach } from '../../../session/request.ts'

export type Kind = 'plan' | 'feature'

export type NewPosition = { key: string; position: number | null; expectedUpdatedAt: string }

type SavedPosition = { key: string; updatedAt: string }

/** The server runs at most this many operations of one request. */
const maxPerRequest = 25

/** Shows the positions, stores them, and resolves to the new versions by key. Throws the server's refusal. */
export async function savePositions(
  organizationId: string,
  kind: Kind,
  positions: readonly NewPosition[],
): Promise<Map<string, string>> {
  showPositions(organizationId, kind, new Map(positions.map(({ key, position }) => [key, position])))
  const saved = new Map<string, string>()
  try {
    for (let at = 0; at < positions.length; at += maxPerRequest) {
      const part = positions.slice(at, at + maxPerRequest)
      const variables = Object.fromEntries(part.map((input, index) => [`input${index}`, input]))
      const outcomes = await requestEach(toDocument(kind, part.length), variables, { organizationId })
      for (const outcome of outcomes.values()) {
        if ('error' in outcome) throw outcome.error
        saved.set(outcome.value.key, outcome.value.updatedAt)
      }
    }
  } finally {
    await refresh(organizationId)
  }
  return saved
}

function toDocument(
  kind: Kind,
  count: number,
): TypedDocument<Record<string, SavedPosition | null>, Record<string, unknown>> {
  const [mutation, type] = kind === 'plan' ? ['updatePlan', 'UpdatePlanInput'] : ['updateFeature', 'UpdateFeatureInput']
  const indexes = Array.from({ length: count }, (_, index) => index)
  const variables = indexes.map((index) => `$input${index}: ${type}!`).join(', ')
  const fields = indexes.map((index) => `  input${index}: ${mutation}(input: $input${index}) { key updatedAt }`)
  return new TypedDocument('SavePositions', `mutation SavePositions(${variables}) {\n${fields.join('\n')}\n}`)
}

/** Shows the positions at once, so that a dropped plan does not jump back until the answer comes. */
function showPositions(organizationId: string, kind: Kind, positions: ReadonlyMap<string, number | null>): void {
  function move<Item extends { key: string; position: number | null }>(item: Item): Item {
    const position = positions.get(item.key)
    return position === undefined ? item : { ...item, position }
  }
  if (kind === 'plan') {
    const { queryKey } = readOptions(organizationId, PlansDocument, {})
    queryClient.setQueryData(queryKey, (old) => old && { ...old, plans: old.plans.map(move) })
  } else {
    const { queryKey } = readOptions(organizationId, MatrixFeaturesDocument, {})
    queryClient.setQueryData(queryKey, (old) => old && { ...old, features: old.features.map(move) })
  }
}
