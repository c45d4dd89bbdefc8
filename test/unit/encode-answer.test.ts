import { expect, it } from 'vitest'
import { StoredJson } from '../../src/core/stored-json.ts'
import { encodeAnswer } from '../../src/http/encode-answer.ts'

it('encodes a short answer as its text', async () => {
  const answer = { key: 'big', value: new StoredJson('{"a":1.0}') }
  expect(await encodeAnswer(answer, 'tenant')).toBe('{"key":"big","value":{"a":1.0}}')
})

it.each([0, 1])('encodes a long answer in pieces that split no character (from byte %i)', async (shift) => {
  const text = `"${'x'.repeat(shift)}${'🚀'.repeat(300_000)}"`
  const answer = { first: new StoredJson(text), second: new StoredJson(text), name: '🚀'.repeat(200_000) }

  const encoded = await encodeAnswer(answer, 'tenant')

  expect(Buffer.isBuffer(encoded)).toBe(true)
  const whole = `{"first":${text},"second":${text},"name":"${answer.name}"}`
  // Not compared as texts, because nobody could read the difference.
  expect(encoded.toString() === whole).toBe(true)
})
