import { z } from 'zod'
import { type JsonSchema, jsonSchemaOf } from '../../../../src/core/input-schema.ts'
import type { Request } from '../client.ts'
import type { ServerRoute } from '../report-cpu.ts'
import { lengthsOf, longest, type Position, withText } from './position.ts'
import { requestOf, routesOf } from './routes.ts'

/** `path` leads to the text. */
type Field = { path: (string | number)[]; limit?: unknown }

type PartsOfSchema = {
  properties?: object
  items?: unknown
  additionalProperties?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** The paths to all text in values of this schema, with the limit of each. */
function textsIn(schema: JsonSchema, definitions: JsonSchema, depth = 6): Field[] {
  if (depth === 0) return []
  if (typeof schema.$ref === 'string')
    return textsIn(definitions[schema.$ref.slice('#/$defs/'.length)] as JsonSchema, definitions, depth)
  const inside = (name: string | number, inner: unknown) =>
    textsIn(inner as JsonSchema, definitions, depth - 1).map(({ path, limit }) => ({ path: [name, ...path], limit }))
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema as PartsOfSchema
  return [
    // Text in place of another type is refused with its own message.
    { path: [], limit: schema.type === 'string' ? schema.maxLength : undefined },
    ...Object.entries(properties).flatMap(([name, inner]) => inside(name, inner)),
    ...(items ? inside(0, items) : []),
    ...(additionalProperties ? inside('x', additionalProperties) : []),
    ...[...anyOf, ...oneOf].flatMap((each) => textsIn(each, definitions, depth - 1)),
  ]
}

/** The text fields of a shape, each once, with its limit if it has one. */
function fieldsOf(shape: z.ZodRawShape): Field[] {
  const { $defs = {}, ...schema } = jsonSchemaOf(z.object(shape))
  const all = new Map<string, Field>()
  for (const field of textsIn(schema, $defs as JsonSchema)) {
    const known = all.get(field.path.join('.'))
    if (!known || known.limit === undefined) all.set(field.path.join('.'), field)
  }
  return [...all.values()]
}

const asIs = (text: string) => text

/** Fields of bodies, their names, whole bodies, and the lines of imports. */
export function bodyPositions(served: readonly ServerRoute[]): Position[] {
  return routesOf(served).flatMap((route) => {
    const { operation, callers } = route
    if (!operation || operation.method === 'GET') return []
    const base = requestOf(route)
    const position = (name: string, lengths: number[], request: (text: string) => Partial<Request>): Position[] =>
      callers.map((caller) => ({
        name: `${route.method} ${route.url}, ${name}`,
        caller,
        lengths,
        encode: asIs,
        request: (text) => ({ ...base, ...request(text) }),
      }))
    const whole = ['application/json', 'application/x-ndjson', 'text/csv'].flatMap((type) =>
      position(`body as ${type}`, [longest], (text) => ({ body: text, headers: { 'content-type': type } })),
    )
    if (operation.kind === 'bulk_write') {
      const { shape } = operation.line
      const line = { subscriber_id: 'x' }
      return [
        ...whole,
        ...fieldsOf(shape).flatMap(({ path, limit }) =>
          position(`line, ${path.join('.')}`, lengthsOf(limit), (text) => ({
            body: JSON.stringify(withText(line, path, text)),
            headers: { 'content-type': 'application/x-ndjson' },
          })),
        ),
        ...Object.keys(shape).flatMap((name) =>
          position(`CSV, ${name}`, [longest], (text) => ({
            body: `${name}\n"${text.replaceAll('"', '""')}"\n${text}`,
            headers: { 'content-type': 'text/csv' },
          })),
        ),
      ]
    }
    const body = base.body
    return [
      ...whole,
      ...fieldsOf(operation.input.shape).flatMap(({ path, limit }) => [
        ...position(`field ${path.join('.')}`, lengthsOf(limit), (text) => ({ body: withText(body, path, text) })),
        ...position(`name in ${path.join('.')}`, [longest], (text) => ({
          body: withText(body, [...path, text], text),
        })),
      ]),
    ]
  })
}
