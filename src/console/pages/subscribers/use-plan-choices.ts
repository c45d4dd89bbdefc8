import { PlanChoicesDocument, type PlanChoicesQuery } from '../../generated/subscribers.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'

type PlanChoice = NonNullable<PlanChoicesQuery['plans']>[number]

/** All plans sorted by key, archived ones last; undefined until they are read, and for those who may not read them. */
export function usePlanChoices(): PlanChoice[] | undefined {
  const mayRead = useMay('plans:read')
  const { data } = useOrganizationQuery(PlanChoicesDocument, {}, { enabled: mayRead })
  return data && [...data.plans].sort(byStateAndKey)
}

function byStateAndKey(one: PlanChoice, other: PlanChoice): number {
  const archived = Number(one.archivedAt !== null) - Number(other.archivedAt !== null)
  return archived || (one.key < other.key ? -1 : 1)
}
