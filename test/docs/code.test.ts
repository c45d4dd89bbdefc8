import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { operationIdOf } from '../../rest/openapi/operation-id.ts'
import { restRoutes } from '../../rest/routes.ts'

const guides = globSync('docs/guides/*.md').map((file) => ({ file, text: readFileSync(file, 'utf8') }))

const findInGuides = (pattern: RegExp) =>
  guides.flatMap(({ file, text }) => Array.from(text.matchAll(pattern), ([, ...parts]) => ({ file, parts })))

/** The code may be the body of a function: it may use `return` and `await`. */
function parses(code: string): boolean {
  const inFunction = `async function example() {\n${code.replaceAll(/^import .*$/gm, '')}\n}`
  return [code, inFunction].some((text) => parseSync('example.tsx', text).errors.length === 0)
}

it('every piece of JavaScript and TypeScript in the guides can be parsed', () => {
  const pieces = findInGuides(/```(?:js|jsx|ts)\n([\s\S]*?)```/g)

  expect(pieces.length).toBeGreaterThan(20)
  expect(pieces.filter(({ parts: [code = ''] }) => !parses(code))).toEqual([])
  expect(parses('const = 1')).toBe(false)
})

it('every operation that the guides name exists', () => {
  const known = new Set(restRoutes.map(({ operation }) => `${operation.method} ${operation.route}`))
  const named = findInGuides(/`((?:GET|POST|PUT|PATCH|DELETE) \/(?:org|user|ofrep)[^`?]*)/g)

  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ parts: [name = ''] }) => !known.has(name))).toEqual([])
})

it('every method of the client that the guides call exists', () => {
  const known = new Set(restRoutes.map(({ operation }) => operationIdOf(operation)))
  const called = findInGuides(/entitlements\.api\.(\w+)\(/g)

  expect(called.length).toBeGreaterThan(2)
  expect(called.filter(({ parts: [name = ''] }) => !known.has(name))).toEqual([])
})
