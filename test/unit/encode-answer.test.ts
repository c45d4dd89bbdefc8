import { expect, it } from 'vitest'
import { LongList } from '../../src/core/answer.ts'
import { StoredJson, stringifyAnswer } from '../../src/core/stored-json.ts'
import { encodeAnswer } from '../../src/http/encode-answer.ts'
import { fc, randomRuns } from '../support/random.ts'

it('a short answer is encoded as a string', async () => {
  const answer = { key: 'big', value: new StoredJson('{"a":1.0}') }
  expect(await encodeAnswer(answer, 'tenant')).toBe('{"key":"big","value":{"a":1.0}}')
})

it.each([0, 1])('a long answer is encoded in pieces that split no character (shifted by %i bytes)', async (shift) => {
  const text = `"${'x'.repeat(shift)}${'🚀'.repeat(300_000)}"`
  const answer = { first: new StoredJson(text), second: new StoredJson(text), name: '🚀'.repeat(200_000) }

  const encoded = await encodeAnswer(answer, 'tenant')

  expect(Buffer.isBuffer(encoded)).toBe(true)
  const whole = `{"first":${text},"second":${text},"name":"${answer.name}"}`
  // Not compared as texts, because nobody could read the difference.
  expect(encoded.toString() === whole).toBe(true)
})

it('an answer of many values is written exactly as by JSON.stringify', async () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.date({ noInvalidDate: true }),
    fc.constant(undefined),
    fc.jsonValue().map((json) => new StoredJson(JSON.stringify(json))),
  )
  const row = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('7')), value)
  const answer = fc
    .tuple(fc.array(row, { maxLength: 5 }), row, fc.constantFrom(1, 400, 1_500), value)
    .map(([rows, map, times, other]) => ({
      rows: Array.from({ length: times }, () => rows).flat(),
      map: Object.fromEntries(Array.from({ length: times }, (_, index) => [`${index}x`, map])),
      other,
      lists: [Array.from({ length: times }, () => [other, []]), {}],
      long: new LongList(rows, (item) => ({ item })),
    }))

  await fc.assert(
    fc.asyncProperty(answer, async (value) => {
      expect((await encodeAnswer(value, 'tenant')).toString() === stringifyAnswer(value)).toBe(true)
    }),
    // Runs fewer cases than usual, because many of them have thousands of values.
    { numRuns: randomRuns / 10 },
  )
})

it('other work can run while an answer of many values is written', async () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => ({ key: `k${index}`, at: new Date(index) }))
  let turns = 0
  let isWritten = false
  const count = () => {
    turns += 1
    if (!isWritten) setImmediate(count)
  }
  setImmediate(count)

  const encoded = await encodeAnswer({ rows }, 'tenant')

  isWritten = true
  expect(encoded.toString() === JSON.stringify({ rows })).toBe(true)
  expect(turns).toBeGreaterThan(5)
})
