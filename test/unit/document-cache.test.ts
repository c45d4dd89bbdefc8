import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { createDocumentCache } from '../../src/graphql/document-cache.ts'

const document = parse('{ features { key } }')
const text = (n: number, length: number) => String(n).padEnd(length, ' ')

it('the document cache keeps the most recently used documents, up to a number of characters', () => {
  const cache = createDocumentCache()
  cache.set(text(0, 5_000), document)

  for (let n = 1; n <= 100; n += 1) {
    cache.set(text(n, 5_000), document)
    cache.get(text(0, 5_000))
  }

  expect(cache.calculatedSize).toBe(200_000)
  expect(cache.get(text(0, 5_000))).toBe(document)
  expect(cache.get(text(1, 5_000))).toBeUndefined()
  expect(cache.get(text(100, 5_000))).toBe(document)
})

it('the document cache does not keep a long document', () => {
  const cache = createDocumentCache()

  cache.set(text(0, 10_001), document)

  expect(cache.calculatedSize).toBe(0)
})
