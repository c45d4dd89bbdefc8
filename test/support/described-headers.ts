import { z } from 'zod'
import { describeRestApi } from '../../rest/openapi/document.ts'
import { restRoutes } from '../../rest/routes.ts'
import type { AnyOperation } from '../../src/operation/operation.ts'

const { components, paths } = describeRestApi()

type HeaderReferences = Record<string, { $ref: string }>

/** Headers that are sent only to pages of the service, or only with a repeated answer. */
const optionalHeaders = new Set(['Set-Cookie', 'Idempotency-Replayed'])
/** Every answer has this header; the description names it only where callers may cache the answer. */
const headersOfEveryAnswer = new Set(['Cache-Control'])

/** Checks of a header's value, by the reference to its description. */
const valueChecks = new Map<string, (text: string) => boolean>(
  Object.entries(components.headers).map(([name, { schema }]) => {
    const value = z.fromJSONSchema(schema)
    const read = (text: string) => (schema.type === 'integer' ? Number(text) : text)
    return [`#/components/headers/${name}`, (text) => value.safeParse(read(text)).success]
  }),
)

function responsesOf({ method, route }: AnyOperation) {
  return paths[route]?.[method.toLowerCase()]?.responses ?? {}
}

/** The headers of an answer by name, each with a reference to its description. */
function headersOf(operation: AnyOperation, status: number | string): HeaderReferences {
  const response = responsesOf(operation)[status]
  if (!response) return {}
  const whole = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) as string] : response
  return (whole?.headers ?? {}) as HeaderReferences
}

/** Every header that is described for any answer. */
export const describedHeaders: ReadonlySet<string> = new Set(
  restRoutes.flatMap(({ operation }) =>
    Object.keys(responsesOf(operation)).flatMap((status) => Object.keys(headersOf(operation, status))),
  ),
)

/** How the headers of an answer differ from its description, or null. */
export function findHeaderFault(operation: AnyOperation, status: number, headers: Headers): string | null {
  const described = headersOf(operation, status)
  for (const name of describedHeaders) {
    const [sent, reference] = [headers.get(name), described[name]]
    if (reference === undefined) {
      if (sent !== null && !headersOfEveryAnswer.has(name)) return `has the header ${name}, which is not described`
    } else if (sent === null) {
      if (!optionalHeaders.has(name)) return `does not have the header ${name}`
    } else if (!valueChecks.get(reference.$ref)?.(sent)) {
      return `has the header ${name} with something else than described: ${sent}`
    }
  }
  return null
}
