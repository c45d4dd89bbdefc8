import type { Statement } from './sql.ts'

type Named = { text: string; name: string | undefined }

const maxNames = 500
const names = new Map<string, string>()
/** What `Prisma.sql` made statements of, by the first part. */
const byFirstPart = new Map<string, (Named & { parts: readonly string[] })[]>()

/**
 * The text of a statement, and its name as a prepared statement: the same for the same text; beyond so many texts, none. A
 * statement of `Prisma.sql` is recognized by its parts, most of which are the same objects each time: to put the text together
 * and look it up took a fortieth of the process's time for a write.
 */
export function nameStatement(statement: Statement & { readonly strings?: readonly string[] }): Named {
  const { strings: parts } = statement
  if (parts === undefined) return { text: statement.text, name: nameOf(statement.text) }
  const first = parts[0] as string
  const alike = byFirstPart.get(first) ?? []
  const known = alike.find((each) => isSame(each.parts, parts))
  if (known) return known
  const { text } = statement
  const name = nameOf(text)
  if (name !== undefined) byFirstPart.set(first, [...alike, { parts, text, name }])
  return { text, name }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `write-${names.size + 1}`
  names.set(text, name)
  return name
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((part, place) => part === others[place])
}
