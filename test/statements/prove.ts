import { type Node, parseSync } from 'libpg-query'
import { Reader } from './reader.ts'

/** How a statement relates to organizations. */
export type Proof = {
  /** The tables it names that do not belong to organizations, with their schema if it has one. */
  others: string[]
  /** Tables whose rows belong to organizations, of which it may read or write those of several. */
  unbound: string[]
  /** The numbers of its parameters, from 1, that must be the same organization. */
  parameters: number[]
}

/** Reads a statement as PostgreSQL does. `tables` are those with the column `organization_id`. Throws if it cannot be read. */
export function prove(text: string, tables: ReadonlySet<string>): Proof {
  const reader = new Reader(tables)
  for (const { stmt } of parseSync(text).stmts ?? []) reader.read(stmt as Node)
  return reader.proof()
}
