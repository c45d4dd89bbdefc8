import { expect, it } from 'vitest'
import { signatureHeaders } from '../../worker/signature.ts'

it('a signature covers the timestamp, a dot and the raw body, uses the whole secret, and is in lowercase hex', () => {
  const body = Buffer.from('{"name":"Zoë"}', 'utf8')

  const headers = signatureHeaders({ id: '01J', body, secret: 'whsec_abc', now: new Date('2026-11-21T05:00:00.999Z') })

  // printf '1795237200.{"name":"Zoë"}' | openssl dgst -sha256 -hmac whsec_abc
  expect(headers).toEqual({
    'x-service-webhook-id': '01J',
    'x-service-webhook-timestamp': '1795237200',
    'x-service-webhook-signature': 'c77071b7f92701bb6b86b85523ecf62582ef3b60f1ec82dbdeb21e57644e94ab',
  })
})
