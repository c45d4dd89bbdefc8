import { type ApiExample, readExample } from '../../components/api/api-examples.ts'

export const readUsage = readExample('/org/eval-usage', '{ evalUsage { month used allotment days { date used } } }')

export function checkExample(subscriberId: string, feature: string): ApiExample {
  return {
    method: 'POST',
    path: `/org/subscribers/${encodeURIComponent(subscriberId)}/entitlements/check`,
    body: { feature },
    graphql: {
      document: `query Check($subscriberId: ID!, $feature: ID!) {
        check(subscriberId: $subscriberId, feature: $feature) { allowed source limit value }
      }`,
      variables: { subscriberId, feature },
    },
  }
}
