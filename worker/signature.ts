import { createHmac } from 'node:crypto'

type SignatureInput = { id: string; body: Uint8Array; secret: string; now: Date }

/**
 * The headers that let a receiver verify an attempt: HMAC-SHA256 over `<timestamp>.<raw body>`, in lowercase hex. The key
 * is the whole secret's UTF-8 bytes, `whsec_` included. Contract: Delivery 8.
 */
export function signatureHeaders({ id, body, secret, now }: SignatureInput): Record<string, string> {
  const timestamp = `${Math.floor(now.getTime() / 1000)}`
  // Pass the key as text: encoding it as UTF-8 takes Node much less time than accepting a buffer.
  const hmac = createHmac('sha256', secret)
  return {
    'x-service-webhook-id': id,
    'x-service-webhook-timestamp': timestamp,
    'x-service-webhook-signature': hmac.update(`${timestamp}.`).update(body).digest('hex'),
  }
}
