import { comparePositions } from '../../components/order/by-position.ts'
import { PlanChoicesDocument, type PlanChoicesQuery } from '../../generated/subscribers.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'

type PlanChoice = NonNullable<PlanChoicesQuery['plans']>[number]

/** All plans in the vendor's order, the others by key, archived ones last; undefined until they are read, and for those who may not read them. */
export function usePlanChoices(): PlanChoice[] | undefined {
  const mayRead = useMay('plans:read')
  const { data } = useOrganizationQuery(PlanChoicesDocument, {}, { enabled: mayRead })
  return data?.plans.toSorted(compareChoices)
}

function compareChoices(one: PlanChoice, other: PlanChoice): number {
  const archived = Number(one.archivedAt !== null) - Number(other.archivedAt !== null)
  return archived || comparePositions(one, other) || (one.key < other.key ? -1 : 1)
}
