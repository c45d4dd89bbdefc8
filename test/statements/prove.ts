import { type Node, parseSync } from 'libpg-query'
import { Reader } from './reader.ts'

/** How a statement relates to organizations. */
export type Proof = {
  /** The tables in the statement that belong to no organization, with their schema if it has one. */
  others: string[]
  /**
   * The tables whose rows belong to organizations, and in which the statement may read or write rows of several organizations.
   */
  unbound: string[]
  /** The numbers of its parameters, from 1, that must name the same organization. */
  parameters: number[]
}

/**
 * Parses a statement with PostgreSQL's own parser. `tables` are those with the column `organization_id`. Throws if the
 * statement cannot be parsed.
 */
export function prove(text: string, tables: ReadonlySet<string>): Proof {
  const reader = new Reader(tables)
  for (const { stmt } of parseSync(text).stmts ?? []) reader.read(stmt as Node)
  return reader.proof()
}
