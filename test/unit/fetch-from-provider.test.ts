import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchFromProvider } from '../../src/access/fetch-from-provider.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'

describe('the answer of an identity provider', () => {
  it.each([
    [0, '{}'],
    [16, '{}'],
    [17, null],
  ])('may come after at most sixteen interim answers: %i', async (count, body) => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </keys>\r\n\r\n'.repeat(count)
    const provider = await startRawReceiver(`${interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`)
    onTestFinished(() => provider.close())

    const request = fetchFromProvider(provider.url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(10_000) })
    const answered = await request.then((response) => response.text()).catch(() => null)

    expect(answered).toBe(body)
  })
})
