import { type ApiExample, readExample } from '../../components/api/api-examples.ts'
import type { AuditEventFilter } from '../../generated/audit.ts'

/** The API request for the list with the same filters. */
export function listAuditEvents(filter: AuditEventFilter): ApiExample {
  return readExample(
    `/org/audit-events${toQuery(filter)}`,
    `query AuditEvents($filter: AuditEventFilter) {
        auditEvents(filter: $filter, first: 50) {
          nodes { id occurredAt method route params { name value } outcome status details actor { memberId } }
          pageInfo { endCursor hasNextPage }
        }
      }`,
    { filter },
  )
}

export function readAuditEvent(id: string): ApiExample {
  return readExample(
    '/org/audit-events/{id}',
    `query AuditEvent($id: ID!) {
        auditEvent(id: $id) { occurredAt method route params { name value } outcome status details actor { memberId } }
      }`,
    { id },
  )
}

function toQuery({ object, params, ...filter }: AuditEventFilter): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) query.set(toSnakeCase(name), toRestValue(name, value))
  if (object) query.set('object_type', object.type.toLowerCase())
  if (object?.id) query.set('object_id', object.id)
  for (const { name, value } of params ?? []) query.set(`params[${name}]`, value)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** REST takes enum values in lower case, except the method. */
function toRestValue(name: string, value: unknown): string {
  return name === 'outcome' ? String(value).toLowerCase() : String(value)
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
