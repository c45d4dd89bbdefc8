import type { Node } from 'libpg-query'

/** The name that a node is or has. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined
  if ('String' in node) return node.String.sval
  if ('ResTarget' in node) return node.ResTarget.name
  return undefined
}

/** The subqueries within a part of a statement, without those within them. */
export function* subqueriesIn(part: unknown): Generator<Node> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, value] of Object.entries(part)) {
    if (name === 'subselect') yield value as Node
    else yield* subqueriesIn(value)
  }
}
