import { z } from 'zod'
import { validationError } from '../../core/errors.ts'
import { asMap, namedObject, note } from '../../core/field-type.ts'
import { timestamp } from '../../core/fields.ts'
import { isUlid } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { isStorableText, toObject } from '../../core/json.ts'
import { pageShape } from '../../core/pagination.ts'
import { auditMethod, auditOutcome, auditService } from './audit-event.ts'

/** As a query has them: text by name. */
function pathValues() {
  return z.custom<Record<string, string>>().describe('path values by name, such as params[subscriber_id]=acme')
}

/** GraphQL has no maps: there they are a list. */
const pathValue = namedObject('AuditParamInput', z.object({ name: z.string(), value: z.string() }))

/** 422 where a name comes twice, or what PostgreSQL could not compare. */
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

/** A page and its filters, all combined with AND. Contract: Audit. */
export const auditFilterInput = defineInput(
  {
    ...pageShape(isUlid, 'the id of an audit entry: a ULID of 26 upper-case characters'),
    actor_member_id: z.string().refine(isUlid).optional().describe('a member id: a ULID of 26 upper-case characters'),
    outcome: auditOutcome().optional(),
    method: auditMethod().optional(),
    route: text((value) => value.startsWith('/')).describe('a route template, such as /org/plans/{key}'),
    params: note(asMap(pathValues()), { wording: { schema: z.array(pathValue), toOwn: toPathValues } }).optional(),
    service: auditService().optional(),
    request_id: text((value) => value.startsWith('req_') && isUlid(value.slice(4))).describe(
      'a request id: req_ and a ULID',
    ),
    created_id: text(() => true).describe('an id or key'),
    occurred_after: note(
      timestamp().optional().describe('an RFC 3339 timestamp that exists, such as 2027-01-31T09:00:00Z'),
      { meaning: 'Inclusive.' },
    ),
    occurred_before: note(
      timestamp().optional().describe('an RFC 3339 timestamp that exists, such as 2027-01-31T09:00:00Z'),
      { meaning: 'Exclusive.' },
    ),
  },
  { unknown: 'reject', noun: 'query parameter' },
)

export type AuditFilter = ReturnType<typeof auditFilterInput.parse>

/** PostgreSQL compares no text with U+0000 or half a surrogate pair. */
function text(isAllowed: (value: string) => boolean) {
  return z
    .string()
    .refine((value) => !value.includes('\u0000') && value.isWellFormed() && isAllowed(value))
    .optional()
}
