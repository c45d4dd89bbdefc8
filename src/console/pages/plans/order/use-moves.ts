import { createContext, useMemo } from 'react'
import { queryClient } from '../../../api/query-client.ts'
import { toastDone, toastFailed } from '../../../components/feedback/toast.tsx'
import { sortByPosition, sortPlans } from '../../../components/order/by-position.ts'
import { MatrixFeaturesDocument, PlansDocument } from '../../../generated/plans.ts'
import { readOptions } from '../../../session/queries.ts'
import type { Feature, Plan } from '../plan.ts'
import { type Positioned, positionsAfterMove, type Side } from './positions-after-move.ts'
import { type Kind, type NewPosition, savePositions } from './save-positions.ts'

type OrderedItem = Positioned & { name: string; updatedAt: string }

/** Moves a plan or a feature beside another. */
type Move = (key: string, side: Side, neighbor: string) => void

export type Moves = Record<Kind, Move>

/**
 * The functions that move plans and features; null for roles that may not change the order, and while a filter hides some
 * items.
 */
export const MovesContext = createContext<Moves | null>(null)

/** Returns the same functions as long as the page is open, because rows render again when their properties change. */
export function useMoves(organizationId: string): Moves {
  return useMemo(() => {
    let last = Promise.resolve()
    // One after the other: each move needs the versions that the previous move returned.
    const moveNext = (request: MoveRequest) => {
      last = last.then(() => move(request))
    }
    return {
      plan: (key, side, neighbor) => moveNext({ organizationId, kind: 'plan', key, side, neighbor }),
      feature: (key, side, neighbor) => moveNext({ organizationId, kind: 'feature', key, side, neighbor }),
    }
  }, [organizationId])
}

type MoveRequest = { organizationId: string; kind: Kind; key: string; side: Side; neighbor: string }

async function move({ organizationId, kind, key, side, neighbor }: MoveRequest): Promise<void> {
  const list: OrderedItem[] = kind === 'plan' ? readPlans(organizationId) : readFeatures(organizationId, key)
  const items = new Map(list.map((item) => [item.key, item]))
  const moved = items.get(key)
  if (!moved || !items.has(neighbor) || key === neighbor) return
  const positions = [...positionsAfterMove(list, key, side, neighbor)]
  try {
    const saved = await savePositions(
      organizationId,
      kind,
      positions.map(([key, position]) => ({ key, position, expectedUpdatedAt: items.get(key)?.updatedAt ?? '' })),
    )
    const former = positions.map(([key]): NewPosition => {
      return { key, position: items.get(key)?.position ?? null, expectedUpdatedAt: saved.get(key) ?? '' }
    })
    toastDone(`“${moved.name}” was moved.`, () => savePositions(organizationId, kind, former))
  } catch (error) {
    toastFailed(error as Error)
  }
}

function readPlans(organizationId: string): Plan[] {
  const { queryKey } = readOptions(organizationId, PlansDocument, {})
  return sortPlans(queryClient.getQueryData(queryKey)?.plans ?? [])
}

/** The features that have the same kind as this one, in the order in which they are shown. */
function readFeatures(organizationId: string, key: string): Feature[] {
  const { queryKey } = readOptions(organizationId, MatrixFeaturesDocument, {})
  const features = queryClient.getQueryData(queryKey)?.features ?? []
  const kind = features.find((feature) => feature.key === key)?.kind
  return sortByPosition(features.filter((feature) => feature.kind === kind))
}
