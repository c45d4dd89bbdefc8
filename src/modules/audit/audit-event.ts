import { z } from 'zod'
import { defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { anyIdField, countField, idField, jsonObjectField, textField, timeField } from '../../core/answer-fields.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { maxAgentLength, maxParamLength } from '../../recording/stored-text.ts'

const auditOutcomes = {
  pending: 'The request has not finished, or its outcome was lost: it may have succeeded.',
  rejected: 'The request was refused before it ran.',
  responded: 'The request was answered with an HTTP status.',
  no_response: 'The database did not confirm the outcome: the request may have succeeded.',
}
const auditMethods = {
  POST: 'Something was created, or an action was performed.',
  PUT: 'Something was created or replaced.',
  PATCH: 'Something was changed.',
  DELETE: 'Something was deleted.',
  GET: 'A read that is recorded, such as the list of invites.',
}
const auditServices = {
  api: 'The catalog, subscribers and the webhook.',
  identity: 'Accounts, members, invites and keys.',
}
const authTypes = {
  member_apikey: 'By the key of a service account.',
  member_session: 'By a console session.',
  jwt: 'By a personal sign-in.',
}

export function auditOutcome() {
  return namedEnum('AuditOutcome', auditOutcomes, 'The outcome of a recorded request.')
}

export function auditMethod() {
  return namedEnum('AuditMethod', auditMethods, 'The method of the REST route, also for a GraphQL request.')
}

export function auditService() {
  return namedEnum('AuditService', auditServices, 'The part of the API that the request belongs to.')
}

function authType() {
  return namedEnum('AuthType', authTypes, 'How a request was authenticated.')
}
export const requestIdPattern = /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** An entry of an organization's log or of a person's own log. */
export type AuditEvent = {
  id: string
  occurredAt: Date
  requestId: string
  /** Only in a person's own log. */
  userId: string | null
  /** Null in a person's own log, unless the request created, joined or signed in to this organization. */
  organizationId: string | null
  memberId: string | null
  authType: keyof typeof authTypes
  keyPrefix: string | null
  service: keyof typeof auditServices
  method: keyof typeof auditMethods
  route: string
  /** Path values by name. */
  params: Record<string, string>
  ip: string
  userAgent: string | null
  outcome: keyof typeof auditOutcomes
  /** Null if the request got no answer. */
  status: number | null
  /** JSON text. */
  details: string | null
  createdId: string | null
}

export const auditActorAnswer = defineAnswer<AuditEvent>('AuditActor', 'Who sent the request.', {
  member_id: idField()
    .nullable()
    .describe("The member who sent it, such as a service account. Null only in a person's own log."),
  auth_type: authType().describe('How the request was authenticated.'),
  key_prefix: textField(12, 12)
    .nullable()
    .describe("The first 12 characters of the key or of the console session's token; null for a personal sign-in."),
})

export const auditEventAnswer = defineAnswer<AuditEvent>('AuditEvent', 'A recorded request and its outcome.', {
  id: idField().describe('The id of the entry.'),
  occurred_at: timeField().describe('When the request was received.'),
  request_id: asScalar('ID', z.string().regex(requestIdPattern)).describe(
    'The id of the request, as in the X-Request-Id header of its answer.',
  ),
  user_id: idField().optional().describe("The person's id; only in their own log."),
  organization_id: idField()
    .nullable()
    .describe(
      "The organization's id; null in a person's own log, unless the request created, joined or signed in to an organization.",
    ),
  actor: fieldFrom(auditActorAnswer.toBody, auditActorAnswer.schema),
  service: auditService().describe('The part of the API that the request belongs to.'),
  method: auditMethod().describe('The method of the REST route, also for a GraphQL request.'),
  route: textField(1, 255).describe('The template of the REST route, also for a GraphQL request.'),
  params: z
    .record(textField(1, 64), textField(0, maxParamLength))
    .describe('The path parameters by name. Long values are cut and end in ….'),
  ip: textField(1, 64).describe('The address that the request came from; `unknown` if the proxy reported none.'),
  user_agent: textField(0, maxAgentLength)
    .nullable()
    .describe('The User-Agent header. A long value is cut and ends in ….'),
  outcome: auditOutcome().describe('The outcome of the request.'),
  status: countField(100).max(599).nullable().describe('The HTTP status of the answer, if there was one.'),
  details: fieldFrom(
    ({ details }: AuditEvent) => (details === null ? null : new StoredJson(details)),
    jsonObjectField().nullable().describe('What changed, as a JSON object with the field names of the REST API.'),
  ),
  created_id: anyIdField().nullable().describe('The id or key of what was created.'),
})

export const auditEventsAnswer = pageOf('audit_events', auditEventAnswer)

/** The names of path values that have an index. A test compares these with the routes. */
export const indexedParams = [
  'key',
  'subscriber_id',
  'feature_key',
  'subscription_id',
  'member_id',
  'invite_id',
  'service_account_id',
  'key_id',
  'event_id',
  'organization_id',
] as const

/** Other names of path values in personal logs. These logs are short, and need no index. */
export const personalLogParams = ['id'] as const
