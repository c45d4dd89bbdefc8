import type { Outcome } from '../../../api/execute.ts'
import { queryClient } from '../../../api/query-client.ts'
import { TypedDocument } from '../../../api/typed-document.ts'
import { PlanDocument, PlansDocument, type UpdatePlanInput } from '../../../generated/plans.ts'
import { readOptions } from '../../../session/queries.ts'
import { requestEach } from '../../../session/request.ts'
import type { Plan } from '../plan.ts'

/** The server runs at most this many operations of one request. */
const plansPerRequest = 25

/** Saves the plans, 25 in each request. If one is refused, the others are still saved. Resolves to the outcomes by plan key. */
export async function savePlans(
  organizationId: string,
  inputs: readonly UpdatePlanInput[],
): Promise<Map<string, Outcome<Plan>>> {
  const outcomes = new Map<string, Outcome<Plan>>()
  for (let at = 0; at < inputs.length; at += plansPerRequest) {
    const chunk = inputs.slice(at, at + plansPerRequest)
    const variables = Object.fromEntries(chunk.map((input, index) => [variableName(index), input]))
    const answer = await requestEach(toDocument(chunk.length), variables, { organizationId })
    for (const [index, { key }] of chunk.entries()) {
      const outcome = answer.get(variableName(index))
      if (outcome) outcomes.set(key, outcome)
    }
  }
  showSaved(organizationId, outcomes)
  return outcomes
}

const variableName = (index: number) => `plan${index}`

function toDocument(count: number): TypedDocument<Record<string, Plan | null>, Record<string, unknown>> {
  const names = Array.from({ length: count }, (_, index) => variableName(index))
  const variables = names.map((name) => `$${name}: UpdatePlanInput!`).join(', ')
  const fields = names.map((name) => `  ${name}: updatePlan(input: $${name}) { ...PlanRow }`).join('\n')
  const fragments = PlanDocument.text.slice(PlanDocument.text.indexOf('fragment '))
  return new TypedDocument('SavePlans', `mutation SavePlans(${variables}) {\n${fields}\n}\n${fragments}`)
}

/** Shows the saved plans from the answer, so that no former value appears until the plans are read again. */
function showSaved(organizationId: string, outcomes: ReadonlyMap<string, Outcome<Plan>>): void {
  queryClient.setQueryData(readOptions(organizationId, PlansDocument, {}).queryKey, (old) => {
    return old && { ...old, plans: old.plans.map((plan) => savedPlanOf(outcomes.get(plan.key)) ?? plan) }
  })
}

export function savedPlanOf(outcome: Outcome<Plan> | undefined): Plan | null {
  return outcome && 'value' in outcome ? outcome.value : null
}
