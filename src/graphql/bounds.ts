import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql'

/** The limits of one request. */
export const bounds = {
  /** Length of the document. Long values belong in variables. */
  characters: 200_000,
  lines: 5_000,
  tokens: 4_000,
  /** Length of a name: an alias is repeated in the answer for each row. */
  nameCharacters: 255,
  operations: 50,
  fragments: 100,
  /** Validation compares each spread of a fragment with all others. */
  spreads: 200,
  /** Depth of fragments within fragments. */
  fragmentDepth: 50,
  aliases: 100,
  /** Fields with arguments that have the same name in the answer: validation compares each with all others. */
  namesakes: 100,
  /** Operations of the service that a request runs. */
  rootFields: 25,
  /** Fields as written; each fragment counts once. */
  fields: 500,
  /** Depth of fields within fields, including fragments. */
  depth: 15,
  /** Depth of lists and objects within a literal value. */
  valueDepth: 100,
  /** Depth of brackets within brackets, of any kind. */
  bracketDepth: 200,
  /** Fields multiplied by the rows of the lists that contain them. */
  cost: 50_000,
  /** Values of all variables together, including values in lists and objects. */
  variableValues: 50_000,
  variableDepth: 25_000,
  /** Fields of one object in the variables. Bounded because an error message about an object prints all its fields. */
  variableFields: 10_000,
}

/** Parses a document. Throws if it has too much text, too many tokens, or brackets too deep for the stack. */
export function parseBoundedDocument(query: string): DocumentNode {
  assertAtMost('lines', countLines(query), bounds.lines)
  const lexer = new Lexer(new Source(query))
  let tokens = 0
  let bracketDepth = 0
  while (lexer.advance().kind !== TokenKind.EOF) {
    const { kind, start, end } = lexer.token
    assertAtMost('tokens', ++tokens, bounds.tokens)
    assertAtMost('characters', end, bounds.characters, 'document has', ' Put long values into variables.')
    if (kind === TokenKind.NAME) assertAtMost('characters in a name', end - start, bounds.nameCharacters)
    if (openingTokens.has(kind)) assertAtMost('levels of brackets', ++bracketDepth, bounds.bracketDepth)
    else if (closingTokens.has(kind)) bracketDepth -= 1
  }
  return parse(query)
}

const openingTokens = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closingTokens = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** Lines are limited because each error searches all previous lines to find its line number. */
function countLines(text: string): number {
  let lines = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) lines += 1
  }
  return lines
}

export function assertAtMost(what: string, count: number, max: number, owner = 'document has', advice = ''): void {
  if (count > max) throw new GraphQLError(`The ${owner} more than ${max} ${what}.${advice}`)
}
