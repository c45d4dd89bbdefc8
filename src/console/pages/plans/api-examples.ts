import { type ApiExample, pathOf, writeExample } from '../../components/api/api-examples.ts'
import { type Grants, toGrantInputs } from './plan.ts'

export const listPlans: ApiExample = {
  method: 'GET',
  path: '/org/plans',
  graphql: { document: '{ plans { key name grants { feature kind limit value } } }' },
}

export function readPlan(key: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/plans/${encodeURIComponent(key)}`,
    graphql: {
      document: 'query Plan($key: ID!) { plan(key: $key) { key name grants { feature kind limit value } updatedAt } }',
      variables: { key },
    },
  }
}

/** The values of the form; `grants` null creates the plan without grants. */
export function createPlanExample(
  values: { key: string; name: string; kind: string },
  grants: Grants | null,
): ApiExample {
  return writeExample({
    method: 'POST',
    path: '/org/plans',
    body: { ...values, ...(grants && { grants: toGrantsBody(grants) }) },
    mutation: 'createPlan',
    input: { ...values, ...(grants && { grants: toGrantInputs(grants) }) },
    answer: 'key',
  })
}

export function renamePlanExample(key: string, name: string): ApiExample {
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/plans/{key}', key),
    body: { name },
    mutation: 'updatePlan',
    input: { key, name },
    answer: 'key updatedAt',
  })
}

/** All grants of the plan: those that are left out are no longer granted. */
export function saveGrantsExample(key: string, grants: Grants): ApiExample {
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/plans/{key}', key),
    body: { grants: toGrantsBody(grants) },
    mutation: 'updatePlan',
    input: { key, grants: toGrantInputs(grants) },
    answer: 'key updatedAt',
  })
}

export function deletePlanExample(key: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/plans/{key}', key),
    mutation: 'deletePlan',
    input: { key },
  })
}

/** As REST takes them: a map. */
function toGrantsBody(grants: Grants): Record<string, object> {
  return Object.fromEntries(
    toGrantInputs(grants).map(({ feature, kind, ...rest }) => [feature, { kind: kind.toLowerCase(), ...rest }]),
  )
}
