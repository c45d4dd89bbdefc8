import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { printConsoleTypes } from '../../src/tools/print-console-types.ts'
import { findBuiltHash, hashSources } from '../../src/web/console-sources.ts'

it('the built console is that of the present sources', async () => {
  expect(await findBuiltHash()).toBe(hashSources())
})

it('the generated types are those that `npm run console:types` would write', async () => {
  for (const [path, text] of await printConsoleTypes()) expect(readFileSync(path, 'utf8')).toBe(text)
})
