import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { printConsoleTypes } from '../../src/tools/print-console-types.ts'
import { findBuiltHash, hashSources } from '../../src/web/console-sources.ts'

it('the console is built from the current sources', async () => {
  expect(await findBuiltHash()).toBe(hashSources())
})

it('the generated types are what `npm run console:types` would write', async () => {
  const printed = [...(await printConsoleTypes())]

  expect(printed.length).toBeGreaterThan(0)
  for (const [path, text] of printed) expect(readFileSync(path, 'utf8')).toBe(text)
})
