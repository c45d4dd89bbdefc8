import { readFileSync } from 'node:fs'
import { type CallExpression, type NewExpression, parseSync, Visitor } from 'oxc-parser'
import { checkSync } from 'recheck'
import { describe, expect, it } from 'vitest'
import { files } from '../contract/imports.ts'

/*
 * A regular expression that takes more than linear time lets one caller stop all others with a few kilobytes of text. `recheck`
 * finds exponential and polynomial ones.
 */

/** `flags` is null if `source` is not a pattern, but code that makes the pattern when it runs. */
type Expression = { file: string; source: string; flags: string | null }

const ownDocuments = 'only our own documents, once per process'
const ownStatements = 'only our own SQL, when the process starts'
const ownMigrations = 'only our own migrations'
/** Patterns that take more than linear time, but only on texts whose length is limited. */
const limitedPatterns: { file: string; source: string; limit: string }[] = [
  { file: 'rest/docs/addresses.ts', source: String.raw`\]\(([^)\s]+)\)`, limit: ownDocuments },
  { file: 'rest/docs/headings.ts', source: String.raw`<!--[\s\S]*?-->`, limit: ownDocuments },
  { file: 'rest/docs/headings.ts', source: String.raw`!?\[([^\]]*)\]\([^)]*\)`, limit: ownDocuments },
  { file: 'rest/docs/headings.ts', source: '^\\s*(```\\w*|\\|?[\\s|:-]+\\||[#>*-]+ )', limit: ownDocuments },
  {
    file: 'src/graphql/graphiql.ts',
    source: String.raw`<script>([\s\S]*?)<\/script>`,
    limit: 'only the page of GraphiQL',
  },
  {
    file: 'src/gate/statement/counter-text.ts',
    source: String.raw`\[\[(.*?)(?:\]\[(.*?))?\]\]`,
    limit: ownStatements,
  },
  { file: 'src/gate/statement/gate-text.ts', source: String.raw`\{\{.*?\}\}`, limit: ownStatements },
  { file: 'src/gate/statement/gate-text.ts', source: String.raw`\{\{(.*?)\}\}`, limit: ownStatements },
  { file: 'src/gate/statement/refunds.ts', source: String.raw`(\w+) (\S+) (\d+)`, limit: 'only what the gate stored' },
  {
    file: 'src/database/apply-migration.ts',
    source: String.raw`index\s+concurrently\s+(?:if\s+(?:not\s+)?exists\s+)?"?(\w+)"?`,
    limit: ownMigrations,
  },
  {
    file: 'src/changes/position.ts',
    source: String.raw`^[0-9a-f]{16}(\.[0-9a-z]{1,11}){2}\.([0-9a-z]{1,11}(,[0-9a-z]{1,11})*)?\.[0-9A-Z]{0,26}$`,
    limit: 'linear, which takes 20 s to find out; a cursor has at most 8,000 characters',
  },
  {
    file: 'src/database/migration-files.ts',
    source: String.raw`^\s*(create|drop)\s+(unique\s+)?index\s+concurrently\s`,
    limit: ownMigrations,
  },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the code of a template.
  { file: 'src/core/stored-json.ts', source: '`"${written.mark}(\\\\d+)\\\\."`', limit: 'a fixed text and digits' },
  { file: 'src/web/console-pages.ts', source: 'pattern', limit: 'only addresses of the console, made by its build' },
]

// Runs without the native program and Java, which recheck would install or look for.
process.env.RECHECK_SYNC_BACKEND = 'pure'

const isOfServer = (file: string) => /^(src|rest|worker)\//.test(file) && !/^src\/(console|tools)\//.test(file)
const foundExpressions = files.filter(isOfServer).flatMap((file) => expressionsIn(file, readFileSync(file, 'utf8')))
const listed = new Set(limitedPatterns.map(({ file, source }) => `${file} ${source}`))

function expressionsIn(file: string, text: string): Expression[] {
  const expressions: Expression[] = []
  const add = (source: string, flags: string | null) => expressions.push({ file, source, flags })
  const addConstructed = ({ callee, arguments: [pattern, flags] }: NewExpression | CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || !pattern) return
    const isText = pattern.type === 'Literal' && typeof pattern.value === 'string'
    if (!isText) add(text.slice(pattern.start, pattern.end), null)
    else add(pattern.value, flags?.type === 'Literal' && typeof flags.value === 'string' ? flags.value : '')
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) add(node.regex.pattern, node.regex.flags)
    },
    NewExpression: addConstructed,
    CallExpression: addConstructed,
  }).visit(parseSync(file, text).program)
  return expressions
}

/** Returns how slow the expression is; null if it takes linear time at most. */
function findSlowness({ source, flags }: Expression): string | null {
  if (flags === null) return 'unknown'
  const result = checkSync(source, flags, { checker: 'automaton', timeout: 3_600_000 })
  if (result.status === 'safe') return null
  return result.status === 'vulnerable' ? result.complexity.summary : 'unknown'
}

describe('a regular expression of the server', () => {
  it.each([...new Set(foundExpressions.map(({ file }) => file))])(
    'in %s takes at most linear time, unless it is listed because the length of its text is limited',
    (path) => {
      const slow = foundExpressions
        .filter(({ file, source }) => file === path && !listed.has(`${file} ${source}`))
        .map((expression) => ({ ...expression, slowness: findSlowness(expression) }))

      expect(slow.filter(({ slowness }) => slowness !== null)).toEqual([])
    },
  )

  it('is reported if it takes more than linear time, or if its source is not known', () => {
    expect(expressionsIn('a.ts', String.raw`x.replace(/\/+$/, ''); new RegExp('^(a+)+$')`).map(findSlowness)).toEqual([
      '2nd degree polynomial',
      'exponential',
    ])
    expect(expressionsIn('a.ts', 'RegExp(made); new RegExp(made + end)').map(findSlowness)).toEqual([
      'unknown',
      'unknown',
    ])
  })

  it('is on the list of exceptions only while the code contains it', () => {
    const all = new Set(foundExpressions.map(({ file, source }) => `${file} ${source}`))

    expect([...listed].filter((key) => !all.has(key))).toEqual([])
  })
})
