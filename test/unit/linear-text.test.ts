import { buildSchema, getOperationAST, getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { assertBounded } from '../../src/graphql/assert-bounded.ts'
import { parseBoundedDocument } from '../../src/graphql/bounds.ts'
import { coerceVariables } from '../../src/graphql/variables.ts'
import { findCookieNames, readSessionTokens } from '../../src/http/cookies.ts'
import { parseImportLine } from '../../src/modules/imports/import-line.ts'

/* Texts whose handling once took quadratic time, or time for errors that nobody sees. */

const times = <Item>(count: number, item: (n: number) => Item) => Array.from({ length: count }, (_, n) => item(n))

/** The CPU time in milliseconds: the least of several measurements, because other work only adds to them. */
function costOf(work: () => unknown): number {
  return Math.min(
    ...times(5, () => {
      const begun = process.cpuUsage()
      try {
        work()
      } catch {}
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1000
    }),
  )
}

describe('the cookies of a request', () => {
  it('are parsed in one pass, however many have our names', () => {
    // As many cookies as fit into the headers.
    const count = 350
    const header = times(count, (n) => `ent_session_${String(n).padStart(26, '0')}=${n}`).join('; ')
    const sent = { header, isHttps: false }

    expect(readSessionTokens(sent)).toEqual(times(count, String))
    expect(costOf(() => times(20, () => readSessionTokens(sent)))).toBeLessThan(
      20 * costOf(() => times(20, () => findCookieNames(sent))),
    )
  })

  it('count only with the prefix `__Host-` behind https, and only without the prefix elsewhere', () => {
    const header = 'ent_user=a; __Host-ent_user=b; ent_mark=c; __Host-ent_session_x=d; xent_user=e'

    expect(readSessionTokens({ header, isHttps: false })).toEqual(['a'])
    expect(readSessionTokens({ header, isHttps: true })).toEqual(['b'])
    expect(findCookieNames({ header, isHttps: true })).toEqual(['ent_user'])
  })
})

describe('a line of an import', () => {
  it('is not checked further once it has as many faults as a refusal shows', () => {
    let checked = 0
    const override = () =>
      Object.defineProperty({}, 'kind', {
        enumerable: true,
        get() {
          checked += 1
          return 'none'
        },
      })
    const read = () => {
      checked = 0
      const overrides = Object.fromEntries(times(1_000, (n) => [`feature-${n}`, override()]))
      expect(() => parseImportLine({ subscriber_id: 'acme', overrides })).toThrow('kind must be')
      return checked
    }
    const one = () => {
      checked = 0
      expect(() => parseImportLine({ subscriber_id: 'acme', overrides: { feature: override() } })).toThrow()
      return checked
    }

    expect(read()).toBeLessThanOrEqual(100 * one())
  })
})

describe('GraphQL', () => {
  const schema = buildSchema('enum Kind { FLAG LIMIT CONFIG } type Query { features(kind: Kind, first: Int): [Int] }')
  const document = parse('query ($kind: Kind) { features(kind: $kind) }')
  const operation = getOperationAST(document) as OperationDefinitionNode
  const coerce = (kind: string, hideSuggestions = false) =>
    coerceVariables({ schema, operation, hideSuggestions }, { kind })

  it('suggests the closest name for a wrong short name, but only to callers who may read the schema', () => {
    expect(() => coerce('FLAK')).toThrow('Did you mean the enum value "FLAG"?')
    expect(() => coerce('FLAK', true)).toThrow(/does not exist in "Kind" enum\.$/)
  })

  it('does not spend time on suggestions for a wrong long name', () => {
    const kind = 'a'.repeat(1_000_000)
    const looking = costOf(() =>
      getVariableValues(schema, operation.variableDefinitions ?? [], { kind }, { maxErrors: 1 }),
    )

    expect(() => coerce(kind)).toThrow('does not exist')
    expect(costOf(() => coerce(kind))).toBeLessThan(looking / 4)
  })

  it.each([
    ['fields of one name', `{ ${times(400, (n) => `features(first: ${n})`).join(' ')} }`, 'one name'],
    ['spreads', `{ ${times(1_900, (n) => `...x${n}`).join(' ')} }`, 'fragment spreads'],
  ])('refuses a document with many %s before it compares them with each other', (_what, text, message) => {
    const comparing = costOf(() => validate(schema, parse(text)))
    const read = () => assertBounded(parseBoundedDocument(text))

    expect(read).toThrow(message)
    expect(costOf(read)).toBeLessThan(comparing)
  })
})
