import { type GraphQLResolveInfo, getNamedType, isObjectType, Kind, type SelectionSetNode } from 'graphql'

/** The extension of a field whose resolver reads only these columns of its object. */
export function needsColumns(...neededColumns: readonly string[]) {
  return { neededColumns }
}

/** Prisma compiles each new selection, which takes a millisecond. Beyond this number, new selections have all columns. */
const maxSelections = 200
const knownSelections = new Set<string>()

/**
 * Prisma's selection of these columns, and of the columns that the document needs from the field's objects. Empty, which
 * selects all columns, if the document selects a field without `needsColumns`. Each column costs time: for a page of 50
 * subscribers with their plans, the columns that were not needed took an eighth of the time.
 */
export function toSelection(
  { fieldNodes, fragments, returnType }: GraphQLResolveInfo,
  columns: readonly string[],
): { select?: Record<string, true> } {
  const type = getNamedType(returnType)
  if (!isObjectType(type)) return {}
  const fields = type.getFields()
  const needed = new Set(columns)
  const seenFragments = new Set<string>()

  /** Adds the columns that the selected fields need; false if one of the fields may need any column. */
  function addColumns(set: SelectionSetNode | undefined): boolean {
    return (set?.selections ?? []).every((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return addColumns(selection.selectionSet)
      const { value: name } = selection.name
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (seenFragments.has(name)) return true
        seenFragments.add(name)
        return addColumns(fragments[name]?.selectionSet)
      }
      const own = name === '__typename' ? [] : (fields[name]?.extensions.neededColumns as readonly string[] | undefined)
      for (const column of own ?? []) needed.add(column)
      return own !== undefined
    })
  }

  if (!fieldNodes.every(({ selectionSet }) => addColumns(selectionSet))) return {}
  const sorted = [...needed].sort()
  const name = `${type.name} ${sorted.join()}`
  if (knownSelections.size >= maxSelections && !knownSelections.has(name)) return {}
  knownSelections.add(name)
  return { select: Object.fromEntries(sorted.map((column) => [column, true] as const)) }
}
