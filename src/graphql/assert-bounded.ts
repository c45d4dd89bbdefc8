import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  visit,
} from 'graphql'
import { assertAtMost, bounds } from './bounds.ts'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/**
 * Refuses a document with too many parts or levels. Must run before validation, whose time grows with the square of the counts.
 */
export function assertBounded(document: DocumentNode): void {
  let aliases = 0
  let fields = 0
  let spreads = 0
  let valueDepth = 0
  const fieldCounts = new Map<string, number>()
  const valueVisitor = {
    enter: () => assertAtMost('levels in a value', ++valueDepth, bounds.valueDepth),
    leave: () => void valueDepth--,
  }
  visit(document, {
    Field(field) {
      fields += 1
      if (field.alias) aliases += 1
      if (!field.arguments?.length) return
      const { value: name } = field.alias ?? field.name
      const count = (fieldCounts.get(name) ?? 0) + 1
      fieldCounts.set(name, count)
      assertAtMost('fields of one name with arguments', count, bounds.namesakes)
    },
    FragmentSpread: () => void spreads++,
    ListValue: valueVisitor,
    ObjectValue: valueVisitor,
  })
  assertAtMost('aliases', aliases, bounds.aliases)
  assertAtMost('fields', fields, bounds.fields)
  assertAtMost('fragment spreads', spreads, bounds.spreads)

  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const fragments = fragmentsOf(document)
  assertAtMost('operations', operations.length, bounds.operations)
  assertAtMost('fragments', fragments.size, bounds.fragments)
  assertNoFragmentCycles(fragments)
  for (const operation of operations) {
    const { selections } = operation.selectionSet
    assertAtMost('root fields', fieldsIn(selections, fragments).length, bounds.rootFields)
    assertAtMost('levels of fields', depthOf(selections, fragments), bounds.depth)
  }
}

/** Fragments by name. Validation refuses two fragments with the same name; until then, the last one counts. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
}

/** Also limits nesting. Code that follows fragments recursively, here and in graphql-js, could overflow the stack otherwise. */
function assertNoFragmentCycles(fragments: Fragments): void {
  const spreads = new Map([...fragments].map(([name, fragment]) => [name, spreadsIn(fragment)]))
  const depths = new Map<string, number>()

  function measure(name: string, path: readonly string[]): number {
    if (path.includes(name)) throw new GraphQLError(`The fragment "${name}" must not spread itself.`)
    assertAtMost('levels of nested fragments', path.length, bounds.fragmentDepth)
    const cached = depths.get(name)
    if (cached !== undefined) return cached
    const innerDepths = [...(spreads.get(name) ?? [])].map((each) => measure(each, [...path, name]))
    const depth = 1 + Math.max(0, ...innerDepths)
    depths.set(name, depth)
    return depth
  }

  for (const name of fragments.keys()) {
    assertAtMost('levels of nested fragments', measure(name, []), bounds.fragmentDepth)
  }
}

function spreadsIn(fragment: FragmentDefinitionNode): Set<string> {
  const names = new Set<string>()
  visit(fragment, { FragmentSpread: ({ name }) => void names.add(name.value) })
  return names
}

/** The fields of a selection, including those of its fragments; each fragment only once, as when the document runs. */
export function fieldsIn(
  selections: readonly SelectionNode[],
  fragments: Fragments,
  seenFragments = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (seenFragments.has(selection.name.value)) return []
      seenFragments.add(selection.name.value)
    }
    return fieldsIn(selectionsOf(selection, fragments), fragments, seenFragments)
  })
}

/** The number of levels of nested fields. Measures each fragment once. The fragments must not have cycles. */
function depthOf(selections: readonly SelectionNode[], fragments: Fragments): number {
  const fragmentDepths = new Map<string, number>()

  function measure(selections: readonly SelectionNode[], level: number): number {
    if (level > bounds.depth) return Number.POSITIVE_INFINITY
    return Math.max(0, ...selections.map((selection) => measureOne(selection, level)))
  }

  function measureOne(selection: SelectionNode, level: number): number {
    // Validation limits the depth of introspection.
    if (selection.kind === Kind.FIELD) {
      if (!selection.selectionSet || selection.name.value.startsWith('__')) return 1
      return 1 + measure(selection.selectionSet.selections, level + 1)
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet.selections, level)
    const name = selection.name.value
    const cached = fragmentDepths.get(name)
    if (cached !== undefined) return cached
    const depth = measure(selectionsOf(selection, fragments), 0)
    fragmentDepths.set(name, depth)
    return depth
  }

  return measure(selections, 0)
}

/** The selections within a field or an inline fragment, or those of a spread fragment. */
function selectionsOf(selection: SelectionNode, fragments: Fragments): readonly SelectionNode[] {
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    return fragments.get(selection.name.value)?.selectionSet.selections ?? []
  }
  return selection.selectionSet?.selections ?? []
}
