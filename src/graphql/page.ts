import type { InputFieldBuilder, ObjectRef, SchemaTypes } from '@pothos/core'
import { DomainError } from '../core/errors.ts'
import type { Page } from '../core/pagination.ts'
import { builder } from './builder.ts'

/** A page as a Relay connection: cursors are the ids themselves, so that one of a row that is gone walks on. */
export type Connection<Node> = { edges: { cursor: string; node: Node }[]; hasMore: boolean; after: string | undefined }

/** Where the nodes of a connection stand in a document, for the selection of their columns. */
export const nodePaths = [['edges', 'node'], ['nodes']]

export type PageArguments = { first?: number | null | undefined; after?: string | null | undefined }

const PageInfo = builder.objectRef<Connection<unknown>>('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.boolean({ resolve: ({ hasMore }) => hasMore }),
    hasPreviousPage: t.boolean({ resolve: ({ after }) => after !== undefined }),
    startCursor: t.string({ nullable: true, resolve: ({ edges }) => edges[0]?.cursor ?? null }),
    endCursor: t.string({ nullable: true, resolve: ({ edges }) => edges.at(-1)?.cursor ?? null }),
  }),
})

/** The types `<name>Connection` and `<name>Edge`. */
export function defineConnection<Node>(name: string, node: ObjectRef<never, Node, never> | unknown) {
  type Edge = { cursor: string; node: Node }
  const nodeType = node as ReturnType<typeof builder.objectRef<Node>>
  const edge = builder.objectRef<Edge>(`${name}Edge`).implement({
    fields: (t) => ({
      cursor: t.exposeString('cursor'),
      node: t.field({ type: nodeType, resolve: (parent) => parent.node as never }),
    }),
  })
  return builder.objectRef<Connection<Node>>(`${name}Connection`).implement({
    fields: (t) => ({
      edges: t.field({ type: [edge], complexity: { multiplier: 1 }, resolve: ({ edges }) => edges }),
      nodes: t.field({
        type: [nodeType],
        complexity: { multiplier: 1 },
        resolve: ({ edges }) => edges.map((each) => each.node) as never,
      }),
      pageInfo: t.field({ type: PageInfo, resolve: (connection) => connection }),
    }),
  })
}

export function pageArgs(arg: InputFieldBuilder<SchemaTypes, 'Arg'> | unknown) {
  const build = arg as { int: (options: object) => never; string: (options: object) => never }
  return {
    first: build.int({ description: '50 by default; more than 100 counts as 100.' }),
    after: build.string({ description: 'The cursor of the last item of the page before.' }),
  } as { first: never; after: never }
}

/** Multiplies what stands below by the rows of the page. */
export function pageComplexity({ first }: PageArguments): { field: number; multiplier: number } {
  return { field: 1, multiplier: Math.min(Math.max(first ?? 50, 1), 100) }
}

/** The input of a paginated operation. An argument given as null counts as left out. */
export function toPageInput({ first, after }: PageArguments): Record<string, unknown> {
  return {
    ...(first !== null && first !== undefined && { limit: first }),
    ...(after !== null && after !== undefined && { starting_after: after }),
  }
}

export function toConnection<Node>(
  { items, hasMore }: Page<Node>,
  { after }: PageArguments,
  cursorOf: (node: Node) => string,
): Connection<Node> {
  return { edges: items.map((node) => ({ cursor: cursorOf(node), node })), hasMore, after: after ?? undefined }
}

/** The 422 of a page in the names of its arguments. */
export async function inNamesOfPage<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const names: Record<string, string> = { limit: 'first', startingAfter: 'after' }
    const fields = (error.details?.['fields'] as { path: string; message: string }[]).map(({ path, message }) => ({
      path: names[path] ?? path,
      message,
    }))
    throw new DomainError('VALIDATION_ERROR', error.message, { fields })
  }
}
