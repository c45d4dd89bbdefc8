import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { describeRestApi, type OpenApiDocument } from '../../../rest/openapi/document.ts'
import { operationIdOf } from '../../../rest/openapi/operation-id.ts'
import { restRoutes } from '../../../rest/routes.ts'
import { acceptsIdempotencyKey } from '../../operation/idempotent-request.ts'
import { kindOf } from '../../operation/kinds.ts'
import type { AnyOperation } from '../../operation/operation.ts'

/*
 * `npm run client:types`: generates the types of the REST API, and the table of operations from which the client builds its
 * requests, both from `/openapi.json`.
 */

const folder = fileURLToPath(new URL('../../client/api/generated', import.meta.url))

const header = '// Made from the description of the REST API by npm run client:types.\n\n'

/** Returns the texts of the generated files, by path. */
export async function printClientApi(): Promise<Map<string, string>> {
  const document = describeRestApi()
  const { webhooks: _, ...requests } = document
  const types = await openapiTs(requests as object as OpenAPI3, {
    silent: true,
    // A field with a default may be left out.
    defaultNonNullable: false,
  })
  return new Map([
    [join(folder, 'openapi.ts'), `${header}${astToString(types.filter(isUsed))}`],
    [join(folder, 'operations.ts'), `${header}${printTable(document)}`],
  ])
}

/** Leaves out the types of paths: operations are found by their names. */
function isUsed(node: Awaited<ReturnType<typeof openapiTs>>[number]): boolean {
  const { name } = node as { name?: { text: string } }
  return name?.text === 'components' || name?.text === 'operations'
}

/** The data that the client needs about an operation to send its requests. */
type Row = { id: string; summary: string; method: string; route: string; traits: string; list: List | null }

/** A list's items, and the field of an item after which the next page starts: null if the list has no pages. */
type List = { items: string; id: string | null }

function printTable(document: OpenApiDocument): string {
  const rows = restRoutes.map(({ operation }) => rowOf(operation, document))
  return [
    '/**',
    ' * By operation: the method, the route, letters for its traits, and for a list its items and their id.',
    ' * b: takes a body; k: takes an Idempotency-Key; w: may change something.',
    ' */',
    'export const operations = {',
    ...rows.flatMap((row) => [`  /** ${row.summary} */`, `  ${row.id}: '${textOf(row)}',`]),
    '}',
    '',
    '/** The items of each list. */',
    'export type ListItems = {',
    ...rows.flatMap(({ id, list }) => (list ? [`  ${id}: '${list.items}'`] : [])),
    '}',
    '',
  ].join('\n')
}

function textOf({ method, route, traits, list }: Row): string {
  const listed = list && [list.items, list.id].filter(Boolean).join('.')
  return [method, route, listed ? traits || '-' : traits, listed].filter(Boolean).join(' ')
}

function rowOf(operation: AnyOperation, document: OpenApiDocument): Row {
  const { method, route } = operation
  const described = document.paths[route]?.[method.toLowerCase()]
  if (!described) throw new Error(`${method} ${route} is not described.`)
  const id = operationIdOf(operation)
  const content = described.requestBody?.content['application/json']
  const names = [
    ...(described.parameters ?? []).filter((each) => each.in !== 'header').map(({ name }) => name),
    ...(content ? namesIn(content.schema, document) : []),
  ]
  const duplicates = names.find((name, index) => names.indexOf(name) < index)
  if (duplicates)
    throw new Error(
      `${id} has two parameters or fields named ${duplicates}, but the client takes all of them in one object.`,
    )
  const traits = [content && 'b', acceptsIdempotencyKey(operation) && 'k', kindOf(operation).isWrite && 'w']
    .filter(Boolean)
    .join('')
  const pages = described.parameters?.some(({ name }) => name === 'starting_after') ?? false
  return {
    id,
    summary: operation.summary,
    method,
    route,
    traits,
    list: listOf(described.responses, { pages, document }),
  }
}

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  type?: unknown
}

/** The schema with its reference resolved, or all its alternatives. */
function alternativesOf(schema: Schema, document: OpenApiDocument): Schema[] {
  const { $ref, oneOf = [], anyOf = [] } = schema
  if ($ref) return alternativesOf(document.components.schemas[$ref.split('/').at(-1) ?? ''] as Schema, document)
  const alternatives = [...oneOf, ...anyOf]
  return alternatives.length > 0 ? alternatives.flatMap((each) => alternativesOf(each, document)) : [schema]
}

function namesIn(schema: Schema, document: OpenApiDocument): Set<string> {
  return new Set(alternativesOf(schema, document).flatMap(({ properties = {} }) => Object.keys(properties)))
}

/** The list in an answer; null if the answer has more fields than the items and, with pages, `has_more`. */
function listOf(responses: object, { pages, document }: { pages: boolean; document: OpenApiDocument }): List | null {
  const { 200: success } = responses as Record<string, { content?: Record<string, { schema: Schema }> }>
  const schema = success?.content?.['application/json']?.schema
  if (!schema) return null
  const { has_more: _, ...properties } = alternativesOf(schema, document)[0]?.properties ?? {}
  const [[name = '', items] = [], ...others] = Object.entries(properties)
  if (items?.type !== 'array' || !items.items || others.length > 0) return null
  const [first] = namesIn(items.items, document)
  if (pages && !/^(\w+_)?id$/.test(first ?? '')) throw new Error(`The first field of an item of ${name} is not its id.`)
  return { items: name, id: pages ? (first as string) : null }
}

if (import.meta.main) {
  for (const [path, text] of await printClientApi()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
