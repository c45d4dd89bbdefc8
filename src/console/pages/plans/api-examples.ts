import { type ApiExample, readExample, writeExample } from '../../components/api/api-examples.ts'
import { type Grants, toGrantInputs } from './plan.ts'

export const listPlans = readExample('/org/plans', '{ plans { key name grants { feature kind limit value } } }')

export function readPlan(key: string): ApiExample {
  const document =
    'query Plan($key: ID!) { plan(key: $key) { key name grants { feature kind limit value } updatedAt } }'
  return readExample('/org/plans/{key}', document, { key })
}

/** The request that creates a plan with the form's values; without grants if `grants` is null. */
export function createPlanExample(values: { key: string; name: string; kind: string }, grants: Grants | null) {
  return writeExample({
    route: 'POST /org/plans',
    mutation: 'createPlan',
    input: { ...values, ...(grants && { grants: toGrantInputs(grants) }) },
    body: { ...values, ...(grants && { grants: toGrantsBody(grants) }) },
    answer: 'key',
  })
}

export function updatePlanExample(key: string, changes: { name: string }): ApiExample {
  const input = { key, ...changes }
  return writeExample({ route: 'PATCH /org/plans/{key}', mutation: 'updatePlan', input, answer: 'key updatedAt' })
}

/** The request that saves all grants of a plan. It removes grants that are left out. */
export function saveGrantsExample(key: string, grants: Grants, reason = ''): ApiExample {
  const note = reason.trim()
  const why = note && { note }
  return writeExample({
    route: 'PATCH /org/plans/{key}',
    mutation: 'updatePlan',
    input: { key, grants: toGrantInputs(grants), ...why },
    body: { grants: toGrantsBody(grants), ...why },
    answer: 'key updatedAt',
  })
}

export function deletePlanExample(key: string): ApiExample {
  return writeExample({ route: 'DELETE /org/plans/{key}', mutation: 'deletePlan', input: { key } })
}

/** The grants in the shape of the REST API: a map by feature. */
function toGrantsBody(grants: Grants): Record<string, object> {
  return Object.fromEntries(
    toGrantInputs(grants).map(({ feature, kind, ...rest }) => [feature, { kind: kind.toLowerCase(), ...rest }]),
  )
}
