import type { Node } from 'libpg-query'

/** The name in a node: the node itself, or a part of it. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined
  if ('String' in node) return node.String.sval
  if ('ResTarget' in node) return node.ResTarget.name
  return undefined
}

/** The subqueries in a part of a statement, but not those nested in them. */
export function* subqueriesIn(part: unknown): Generator<Node> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    if (name === 'subselect') yield value as Node
    else yield* subqueriesIn(value)
  }
}
