import type { InputFieldMap } from '@pothos/core'
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { Fields } from '../core/field-type.ts'
import type { Page } from '../core/pagination.ts'
import { defaultPageSize, maxPageSize } from '../core/pagination.ts'
import type { Read } from '../operation/operation.ts'
import { builder } from './builder.ts'
import type { GraphqlContext } from './context.ts'
import { argsOf, defineInputType, withoutNulls } from './input-type.ts'
import { inNamesOfGraphql, toOperationNames } from './names.ts'
import type { ObjectType } from './output-type.ts'

/** A page as a Relay connection. Cursors are ids, so that the cursor of a deleted row still works. */
type Connection<Node> = { edges: { cursor: string; node: Node }[]; hasMore: boolean; after: string | undefined }

export type PageArguments = { first?: number | null | undefined; after?: string | null | undefined }

const PageInfo = builder.objectRef<Connection<unknown>>('PageInfo').implement({
  description: 'The position of a page in its list. Pages only go forward.',
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: 'Whether there is a next page, which begins after `endCursor`.',
      resolve: ({ hasMore }) => hasMore,
    }),
    hasPreviousPage: t.boolean({
      description: 'Whether this page began after a cursor.',
      resolve: ({ after }) => after !== undefined,
    }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first node; null on an empty page.',
      resolve: ({ edges }) => edges[0]?.cursor ?? null,
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last node; null on an empty page. Send it as `after` to read the next page.',
      resolve: ({ edges }) => edges.at(-1)?.cursor ?? null,
    }),
  }),
})

const connections = new Map<unknown, unknown>()

/** The type `<name>Connection` for pages of a type. Defines it, with `<name>Edge`, at the first call. */
export function connectionOf<Node>(node: ObjectType<Node>): ObjectType<Connection<Node>> {
  const connection = connections.get(node) ?? defineConnection(node)
  connections.set(node, connection)
  return connection as ObjectType<Connection<Node>>
}

function defineConnection<Node>(node: ObjectType<Node>) {
  type Edge = Connection<Node>['edges'][number]
  const edge = builder.objectRef<Edge>(`${node.name}Edge`).implement({
    description: 'An item of a page, with its cursor.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'The position of the item in the list. Send it as `after` to read the items that follow.',
      }),
      // TypeScript cannot compute what a resolver of a generic type may return.
      node: t.field({ type: node, description: 'The item itself.', resolve: (parent) => parent.node as never }),
    }),
  })
  return builder.objectRef<Connection<Node>>(`${node.name}Connection`).implement({
    description: 'A page of a list.',
    fields: (t) => ({
      // The cost of the connection already includes the rows of the page.
      edges: t.field({
        type: [edge],
        description: 'The items, each with its cursor.',
        complexity: { multiplier: 1 },
        resolve: ({ edges }) => edges,
      }),
      nodes: t.field({
        type: [node],
        description: 'The items without their cursors.',
        complexity: { multiplier: 1 },
        resolve: ({ edges }) => edges.map((each) => each.node),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'The position of the page in the list.',
        resolve: (connection) => connection,
      }),
    }),
  })
}

export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `The number of items; default ${defaultPageSize}, and more than ${maxPageSize} count as ${maxPageSize}.`,
  }),
  after: t.string({ description: 'The cursor after which the page begins; the cursor of a deleted row still works.' }),
}))

/** Multiplies the cost of nested fields by the size of the page. */
export function pageComplexity({ first }: PageArguments): { field: number; multiplier: number } {
  return { field: 1, multiplier: Math.min(Math.max(first ?? defaultPageSize, 1), maxPageSize) }
}

export function toConnection<Node>(
  { items, hasMore }: Page<Node>,
  { after }: PageArguments,
  cursorOf: (node: Node) => string,
): Connection<Node> {
  return { edges: items.map((node) => ({ cursor: cursorOf(node), node })), hasMore, after: after ?? undefined }
}

/** The options of a field that lists pages, at the root or in the organization. */
export function pageField<Node extends { id: string }, T>(
  operation: Read<string, T, Page<Node>>,
  node: ObjectType<Node>,
  args: InputFieldMap = pageArgs,
  readsRelations = false,
) {
  return {
    type: connectionOf(node),
    description: operation.summary,
    args,
    complexity: pageComplexity,
    async resolve(
      _parent: unknown,
      { filter, ...page }: PageArguments & { filter?: unknown },
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) {
      const paths = [['nodes'], ['edges', 'node']]
      const selection = () => (readsRelations ? queryFromInfo({ context, info, paths }) : {})
      const result: Page<Node> = await context.run(operation, withoutNulls({ ...(filter ?? {}), ...page }), selection)
      return toConnection(result, page, ({ id }) => id)
    },
  }
}

export const filterDescription = 'Conditions for a list. All are combined with AND.'
export const filterArgument = 'Only items that meet all these conditions.'

/** The arguments of a list: its page, the fields named in `directArgs`, and a filter with all other fields. */
export function listArgs(
  { name }: ObjectType<never>,
  fields: Fields,
  directArgs: readonly string[] = [],
): InputFieldMap {
  const conditions = [...fields].filter(([field]) => field !== 'limit' && field !== 'starting_after')
  const filterFields = new Map(conditions.filter(([field]) => !directArgs.includes(field)))
  const options = { description: filterDescription }
  const filter = filterFields.size > 0 ? defineInputType(`${name}Filter`, filterFields, options) : null
  return builder.args((t) => ({
    ...(filter && { filter: t.field({ type: filter, description: filterArgument }) }),
    ...argsOf(new Map(conditions.filter(([field]) => directArgs.includes(field)))),
    ...pageArgs,
  }))
}

/** Converts the arguments of a nested field to the input of the read that the field represents. */
export function readArgs<T>({ input }: Read<string, T, unknown>, args: object): Promise<T> {
  return inNamesOfGraphql(input.fields, () => input.parse(toOperationNames(input.fields, withoutNulls(args))))
}
