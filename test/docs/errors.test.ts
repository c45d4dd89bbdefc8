import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { refusalsOf } from '../../rest/openapi/refusals.ts'
import { restRoutes } from '../../rest/routes.ts'
import { codeOf, statusOf } from '../../src/core/error-answer.ts'
import { statusByCode } from '../../src/core/errors.ts'

/** The rows of the first table under a heading, without its header row. */
function rowsUnder(heading: string): string[][] {
  const [, text = ''] = readFileSync('docs/guides/errors.md', 'utf8').split(`## ${heading}\n`)
  const lines = text.split('\n## ', 1)[0]?.split('\n') ?? []
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '))
  return rows.slice(1)
}

it('the guide to errors lists every code with its status, and says what to do about each code', () => {
  const rows = rowsUnder('Every code')
  const described = Object.fromEntries(rows.map(([code = '', status]) => [code.replaceAll('`', ''), Number(status)]))
  const ofProtocols = /^(PARSE_ERROR|TARGETING_KEY_MISSING|FLAG_NOT_FOUND|INVALID_CONTEXT|GENERAL)$/
  const own = restRoutes.flatMap(({ operation }) => [...refusalsOf(operation).values()].flat())
  const answered = own
    .map((code) => [codeOf(code), statusOf(code)] as const)
    .filter(([code]) => !ofProtocols.test(code))

  expect(described).toEqual({ ...statusByCode, ...Object.fromEntries(answered) })
  expect(rows.filter(([, , meaning, remedy]) => !meaning || !remedy)).toEqual([])
})

it('the guide to OpenFeature lists the error codes of OFREP', () => {
  const text = readFileSync('docs/guides/openfeature.md', 'utf8')

  for (const code of ['FLAG_NOT_FOUND', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'PARSE_ERROR', 'GENERAL']) {
    expect(text).toContain(`\`${code}\``)
  }
})

it('the guide to errors names every field that a conflict may be about', () => {
  const [rows, files] = [rowsUnder('What a conflict is about'), globSync('src/{modules,operation,gate,access}/**/*.ts')]
  const described = rows.flatMap(([fields = '']) => Array.from(fields.matchAll(/`(\w+)`/g), ([, field]) => field))
  const named = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/field: '([a-z_]+)'/g), ([, field]) => field),
  )
  // Excludes the field of OPTION_IN_USE (`options`), and a field of items in a history (`grant`).
  const ofConflicts = new Set(named.filter((field) => field !== 'options' && field !== 'grant'))

  expect(ofConflicts.size).toBeGreaterThan(15)
  expect([...new Set(described)].sort()).toEqual([...ofConflicts].sort())
})
