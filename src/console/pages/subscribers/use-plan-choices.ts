import { sortPlans } from '../../components/order/by-position.ts'
import { PlanChoicesDocument, type PlanChoicesQuery } from '../../generated/subscribers.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'

type PlanChoice = NonNullable<PlanChoicesQuery['plans']>[number]

/** All plans in the vendor's order, archived ones last; undefined until they are read, and for roles that may not read them. */
export function usePlanChoices(): PlanChoice[] | undefined {
  const mayRead = useMay('plans:read')
  const { data } = useOrganizationQuery(PlanChoicesDocument, {}, { enabled: mayRead })
  return data && sortPlans(data.plans).toSorted(compareArchived)
}

function compareArchived(one: PlanChoice, other: PlanChoice): number {
  return Number(one.archivedAt !== null) - Number(other.archivedAt !== null)
}
