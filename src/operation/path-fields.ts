import type { z } from 'zod'
import { anyIdField, idField, keyField } from '../core/answer-fields.ts'

/** The fields of paths. A malformed value is answered with 404, because no object can have it. */
const pathFields: Record<string, z.ZodType> = {
  feature_key: keyField().describe('The key of the feature.'),
  subscriber_id: anyIdField().describe("The subscriber's id, chosen by the vendor."),
  subscription_id: idField().describe('The id of the subscription.'),
  member_id: idField().describe('The id of the member.'),
  invite_id: idField().describe('The id of the invite.'),
  service_account_id: idField().describe('The id of the service account.'),
  key_id: idField().describe('The id of the key.'),
  event_id: idField().describe('The id of the event.'),
  organization_id: idField().describe('The id of the organization.'),
}

/** The field for `{name}` in the route. An `{id}` or `{key}` belongs to the object before it, as in `/org/plans/{key}`. */
export function pathFieldOf(route: string, name: string): z.ZodType {
  const own = pathFields[name]
  if (own) return own
  const parts = route.split('/')
  const object = parts[parts.indexOf(`{${name}}`) - 1]?.slice(0, -1).replaceAll('-', ' ')
  if (name === 'key') return keyField().describe(`The key of the ${object}.`)
  if (name === 'id') return idField().describe(`The id of the ${object}.`)
  throw new Error(`{${name}} needs a description in src/operation/path-fields.ts`)
}
