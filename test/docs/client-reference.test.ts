import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { printClientReference } from '../../src/tools/client-reference.ts'

it('docs/guides/client.md matches the types of the client; if not, run `npm run client:reference`', () => {
  const page = printClientReference()

  expect(readFileSync('docs/guides/client.md', 'utf8')).toBe(page)
  for (const name of [
    'store?',
    'logger?',
    'onUnavailable?',
    'timeoutMs?',
    'rate_limited',
    'peek',
    'waitUntilReady',
    'keys?',
  ]) {
    expect(page).toContain(`\`${name}`)
  }
})
