import { describe, expect, it } from 'vitest'
import { toStorableText } from '../../src/core/json.ts'
import { decodePercent } from '../../src/core/percent-encoding.ts'
import { toStoredAgent } from '../../src/recording/stored-text.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

/** A path with a query of this many bytes in all. */
const padTarget = (path: string, bytes: number) => `${path}${path.includes('?') ? '&' : '?'}q=`.padEnd(bytes, 'a')

describe('a request target', () => {
  it.each(['/org/plans', '/', '/docs', '/graphql', '/healthz', '/auth/oidc/callback', '/nowhere', '/org/%/%'])(
    'of more than 8,192 bytes is 413 at %s, even without credentials',
    async (path) => {
      const answer = await fetch(service.url + padTarget(path, 8_193))

      expect(answer.status).toBe(413)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect((await answer.json()).error).toMatchObject({
        code: 'BODY_TOO_LARGE',
        message: 'The address is longer than 8192 bytes.',
      })
    },
  )

  it('of 8,192 bytes is answered like any other', async () => {
    const answer = await fetch(service.url + padTarget('/healthz', 8_192))

    expect(answer.status).toBe(200)
  })

  it('with wrong percent-encoding is a 404 that names the value as it was sent', async () => {
    const caller = await service.organization()

    const answer = await caller.rest('GET', `/org/plans/${'%'.repeat(20)}`)

    expect(answer).toMatchObject({
      status: 404,
      body: { error: { details: { resource: 'plan', id: '%'.repeat(20) } } },
    })
  })
})

describe('text that a caller sends', () => {
  // A quadratic algorithm would need minutes for texts of this length.
  const length = 1_000_000

  it.each(['%', '\0', '%\0', '\ud800'])('is made storable in linear time if it repeats %j', (piece) => {
    expect(toStorableText(piece.repeat(length))).toHaveLength(piece.length * length)
    expect(toStoredAgent(piece.repeat(length))).toHaveLength(512)
  })
})

describe('percent-encoding', () => {
  it('is decoded as decodeURIComponent decodes it, and not at all where decodeURIComponent throws', () => {
    const bytes = [
      '00',
      '25',
      '7f',
      '80',
      'bf',
      'c1',
      'c2',
      'df',
      'e0',
      'e1',
      'ed',
      'ef',
      'f0',
      'f4',
      'f5',
      '9f',
      'a0',
      '8f',
      '90',
    ]
    const encoded = bytes.map((byte) => `%${byte}`)
    const texts = encoded.flatMap((a) => [
      a,
      ...encoded.flatMap((b) => [a + b, ...encoded.flatMap((c) => [a + b + c, `${a}${b}${c}%80`])]),
    ])

    for (const text of [...texts, '%', '%2', '%zz', 'a%', '%C3%A4', 'ä', '']) {
      let expected: string | null = null
      try {
        expected = decodeURIComponent(text)
      } catch {}
      expect(decodePercent(text), text).toBe(expected)
    }
  })
})
