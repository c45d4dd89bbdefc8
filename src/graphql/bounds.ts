import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  Source,
  TokenKind,
  visit,
} from 'graphql'

/** What one request may ask for. */
export const bounds = {
  tokens: 4_000,
  aliases: 100,
  /** Operations of the service that run. */
  rootFields: 25,
  /** As written; fragments count once. */
  fields: 500,
  /** Of fields within fields, fragments followed. */
  depth: 15,
  /** Of lists and objects within a value as it is written. */
  valueDepth: 100,
  /** Of brackets within brackets, of any kind. */
  bracketDepth: 200,
  /** Fields, times the rows of the lists that they stand in. */
  cost: 50_000,
}

/** The document, of no more tokens and brackets than allowed: no later step sees a longer one, or one too deep for the stack. */
export function parseBounded(query: string): DocumentNode {
  const lexer = new Lexer(new Source(query))
  let tokens = 0
  let bracketDepth = 0
  while (lexer.advance().kind !== TokenKind.EOF) {
    refuseOver('tokens', ++tokens, bounds.tokens)
    if (opening.has(lexer.token.kind)) refuseOver('levels of brackets', ++bracketDepth, bounds.bracketDepth)
    else if (closing.has(lexer.token.kind)) bracketDepth -= 1
  }
  return parse(query)
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Before validation, whose time grows with the square of what these bound. */
export function assertBounded(document: DocumentNode): void {
  let aliases = 0
  let fields = 0
  let valueDepth = 0
  const value = {
    enter: () => refuseOver('levels in a value', ++valueDepth, bounds.valueDepth),
    leave: () => void valueDepth--,
  }
  visit(document, {
    Field(field) {
      fields += 1
      if (field.alias) aliases += 1
    },
    ListValue: value,
    ObjectValue: value,
  })
  refuseOver('aliases', aliases, bounds.aliases)
  refuseOver('fields', fields, bounds.fields)

  const { operations, fragments } = definitionsOf(document)
  for (const operation of operations) {
    const { selections } = operation.selectionSet
    refuseOver('root fields', countFields(selections, fragments), bounds.rootFields)
    refuseOver('levels of fields', depthOf(selections, fragments), bounds.depth)
  }
}

/** Throws a GraphQLError also where variables do not fit. The document has been validated. */
export function assertAffordable(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): void {
  const operation = findOperation(document, operationName)
  const others = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  const asked: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...others] }
  const { complexity } = complexityFromQuery(asked, { schema, variables })
  if (complexity <= bounds.cost) return
  throw new GraphQLError(
    `The document may read too much: its cost is ${complexity}, and ${bounds.cost} is the most. ` +
      'Ask for smaller pages (first), or for fewer lists within lists.',
  )
}

function findOperation(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, name)
  if (operation) return operation
  if (name) throw new GraphQLError(`The document has no operation named "${name}".`)
  const { length } = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  throw new GraphQLError(
    length === 0 ? 'The document has no operation.' : 'Say by operationName which operation to run.',
  )
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

function definitionsOf({ definitions }: DocumentNode) {
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
  return { operations, fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])) }
}

function refuseOver(what: string, count: number, most: number): void {
  if (count > most) throw new GraphQLError(`The document has more than ${most} ${what}.`)
}

/** With those of fragments, each fragment once: spread again, its fields are the same ones. */
function countFields(selections: readonly SelectionNode[], fragments: Fragments): number {
  const spread = new Set<string>()
  const rest = [...selections]
  let count = 0
  for (const selection of rest) {
    if (selection.kind === Kind.FIELD) {
      count += 1
      continue
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (spread.has(selection.name.value)) continue
      spread.add(selection.name.value)
    }
    rest.push(...selectionsOf(selection, fragments))
  }
  return count
}

/** Each fragment is measured once. One that is spread within itself ends there: validation refuses it. */
function depthOf(selections: readonly SelectionNode[], fragments: Fragments): number {
  const measured = new Map<string, number>()

  function measure(selections: readonly SelectionNode[], level: number): number {
    if (level > bounds.depth) return Number.POSITIVE_INFINITY
    return Math.max(0, ...selections.map((selection) => measureOne(selection, level)))
  }

  function measureOne(selection: SelectionNode, level: number): number {
    // Introspection has levels of its own, which validation bounds.
    if (selection.kind === Kind.FIELD) {
      if (!selection.selectionSet || selection.name.value.startsWith('__')) return 1
      return 1 + measure(selection.selectionSet.selections, level + 1)
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet.selections, level)
    const name = selection.name.value
    const known = measured.get(name)
    if (known !== undefined) return known
    measured.set(name, 0)
    const depth = measure(selectionsOf(selection, fragments), 0)
    measured.set(name, depth)
    return depth
  }

  return measure(selections, 0)
}

function selectionsOf(selection: SelectionNode, fragments: Fragments): readonly SelectionNode[] {
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    return fragments.get(selection.name.value)?.selectionSet.selections ?? []
  }
  return selection.selectionSet?.selections ?? []
}
