/** The check that a receiver makes, in Node without dependencies. Same code as in docs/guides/webhooks.md; a test runs it. */
export const verifySnippet = `import { createHmac, timingSafeEqual } from 'node:crypto'

const secret = process.env.WEBHOOK_SECRET // whsec_…
const maxAgeSeconds = 300

/** Whether these raw bytes were signed with our secret at most five minutes ago. */
export function isGenuine(headers, body) {
  const timestamp = headers['x-service-webhook-timestamp'] ?? ''
  const given = Buffer.from(headers['x-service-webhook-signature'] ?? '', 'hex')
  const expected = createHmac('sha256', secret).update(\`\${timestamp}.\`).update(body).digest()
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds
}
`
