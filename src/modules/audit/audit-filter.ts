import { z } from 'zod'
import { validationError } from '../../core/errors.ts'
import { asMap, namedObject, note } from '../../core/field-type.ts'
import { maxNameLength, timestamp, ulid } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { isStorableText, toObject } from '../../core/json.ts'
import { pageFields } from '../../core/pagination.ts'
import {
  auditMethod,
  auditOutcome,
  auditService,
  indexedParams,
  personalLogParams,
  requestIdPattern,
} from './audit-event.ts'
import { auditObjectId, auditObjectType } from './audit-object.ts'

/** Path values by name. Not a zod record, because that would drop the name `__proto__`. */
function pathValues() {
  const schema = z
    .unknown()
    .transform((params) => params as Record<string, string>)
    .describe('path values by name, such as params[subscriber_id]=acme')
    .meta({
      type: 'object',
      propertyNames: { enum: [...indexedParams, ...personalLogParams] },
      additionalProperties: { type: 'string', minLength: 1, maxLength: 32_768 },
    })
  return note(asMap(schema), {
    meaning: 'Only entries with these path values.',
    wording: { schema: z.array(pathValue), toOwn: toPathValues },
  })
}

/** An item of the list that GraphQL uses instead of a map. */
const pathValue = namedObject(
  'AuditParamInput',
  z.object({
    name: note(z.string(), { meaning: 'The name in the template of the route, such as `subscriber_id`.' }),
    value: note(z.string(), { meaning: 'The value in the path.' }),
  }),
  'A path parameter with its value.',
)

/** Converts the list to a map. Throws 422 for a repeated name, or for a value that PostgreSQL cannot compare. */
function toPathValues(list: unknown): Record<string, string> {
  const params = list as z.output<typeof pathValue>[]
  const byName = new Map(params.map(({ name, value }) => [name, value]))
  if (byName.size < params.length) {
    throw validationError([{ path: 'params', message: 'params must name each path value once.' }])
  }
  if (![...byName].flat().every(isStorableText)) {
    throw validationError([{ path: 'params', message: 'params must not contain U+0000 or unpaired surrogates.' }])
  }
  return toObject(byName)
}

/** A page and its filters, which are combined with AND. Contract: Audit. */
export const auditFilterInput = defineInput(
  {
    ...pageFields(ulid('the id of an audit entry')),
    actor_member_id: ulid('a member id').optional(),
    outcome: auditOutcome().optional(),
    method: auditMethod().optional(),
    route: text(/^[/]/).describe('a route template, such as /org/plans/{key}').optional(),
    params: pathValues().optional(),
    service: auditService().optional(),
    request_id: text(requestIdPattern).describe('a request id: req_ and a ULID').optional(),
    // No id or key is longer than this maximum.
    created_id: z
      .string()
      .refine(isStorableText)
      .describe('an id or key')
      .meta({ maxLength: maxNameLength })
      .optional(),
    occurred_after: note(timestamp().optional().describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z'), {
      meaning: 'Inclusive.',
    }),
    occurred_before: note(timestamp().optional().describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z'), {
      meaning: 'Exclusive.',
    }),
    changed: note(z.boolean().optional().describe('true or false'), {
      meaning: 'Only entries of requests that changed something (true), or of all other requests (false).',
    }),
    lines: note(z.boolean().optional().describe('true or false'), {
      meaning: "Only the entries of an import's lines (true), or all other entries (false).",
    }),
    object_type: note(auditObjectType().optional(), { alias: 'object.type' }),
    object_id: note(auditObjectId().optional(), { alias: 'object.id' }),
    with_parts: note(z.boolean().optional().describe('true or false'), {
      meaning:
        "If the list is limited to an object: whether to include the entries of objects that belong to it (a subscriber's subscriptions and overrides, a service account's keys), and of requests that changed nothing.",
    }),
  },
  {
    unknown: 'reject',
    term: 'query parameter',
    rules: ({ object_type: type, object_id: id, with_parts: withParts }, report) => {
      if (type === undefined && id !== undefined) report('object_type', 'object_type is required with object_id.')
      if (type === undefined && withParts) report('object_type', 'object_type is required with with_parts.')
      if (type !== undefined && type !== 'webhook' && id === undefined) {
        report('object_id', 'object_id is required with object_type, unless the object is the webhook.')
      }
    },
  },
)

export type AuditFilter = ReturnType<typeof auditFilterInput.parse>

/** Refuses U+0000 and unpaired surrogates, which PostgreSQL cannot compare. */
function text(pattern: RegExp) {
  return z.string().regex(pattern).refine(isStorableText)
}
