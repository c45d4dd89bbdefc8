import { expect, it } from 'vitest'
import { hasAllWords } from '../../../src/console/components/text/has-all-words.ts'
import type { Hit } from '../../../src/console/frame/search/entry.ts'
import { findPairs } from '../../../src/console/frame/search/features-of-subscriber.ts'

it('the search finds a subscriber and a feature that are named in the same text', () => {
  const hit = (type: Hit['type'], id: string, name: string | null = null): Hit => ({ type, id, name, context: null })
  const features = [
    { key: 'csv-export', name: 'Export as CSV' },
    { key: 'seats', name: 'Seats' },
  ]
  const found = (text: string, hits: readonly Hit[]) =>
    findPairs(text, hits, features).map(({ subscriber, feature }) => `${subscriber.id} ${feature.key}`)
  const globex = hit('SUBSCRIBER', 'cus_1001', 'Globex Corp')

  expect(found('cus_1001 exports', [globex])).toEqual(['cus_1001 csv-export'])
  expect(found('csv export GLOBEX CORP', [globex])).toEqual(['cus_1001 csv-export'])
  expect(found('why has cus_1001 no seats?', [globex, hit('FEATURE', 'seats')])).toEqual(['cus_1001 seats'])
  expect(found('cus_1001', [globex])).toEqual([])
  expect(found('seats', [globex, hit('FEATURE', 'seats')])).toEqual([])
})

it('the search lists first the feature whose key or name matches exactly', () => {
  const features = [
    { key: 'export-policy', name: 'Export policy' },
    { key: 'exports', name: 'Export of data' },
  ]
  const globex: Hit = { type: 'SUBSCRIBER', id: 'cus_1001', name: 'Globex Corp', context: null }
  const found = (text: string) => findPairs(text, [globex], features).map(({ feature }) => feature.key)

  expect(found('cus_1001 exports')).toEqual(['exports', 'export-policy'])
  expect(found('cus_1001 Export of data')).toEqual(['exports'])
  expect(found('cus_1001 export')).toEqual(['export-policy', 'exports'])
})

it('the filter finds words in any order, in keys and names', () => {
  expect(hasAllWords('CSV exp', 'csv-export', 'Export as CSV')).toBe(true)
  expect(hasAllWords(' ', 'seats', 'Seats')).toBe(true)
  expect(hasAllWords('csv seats', 'seats', 'Seats')).toBe(false)
})
