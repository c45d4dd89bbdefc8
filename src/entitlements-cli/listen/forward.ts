import { createHmac, randomBytes } from 'node:crypto'
import { reasonOf } from '../problem.ts'
import type { Change } from './follow.ts'

/** The types of changes that are sent to followers, but not to webhooks. */
const onlyForFollowers = ['entitlements.end_moved', 'catalog.updated']

export function isForWebhooks({ type }: Change): boolean {
  return !onlyForFollowers.includes(type)
}

/** The time limit for the receiver's answer: the same as for the service's webhook. */
const timeoutMs = 5_000

/** Sends the change as the service's webhook would. Resolves to the answer's status, or to the reason for a missing answer. */
export async function forward(
  change: Change,
  { to, secret }: { to: string; secret: string },
): Promise<number | string> {
  const body = JSON.stringify(change)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'entitlements-service',
    'x-service-webhook-id': change.id,
    'x-service-webhook-timestamp': timestamp,
    'x-service-webhook-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    return reasonOf(error)
  }
}

/** Creates a secret in the format of the service's own secrets: whsec_ and 43 letters and digits. */
export function newSecret(): string {
  let letters = ''
  while (letters.length < 43)
    letters += randomBytes(64)
      .toString('base64')
      .replaceAll(/[^0-9A-Za-z]/g, '')
  return `whsec_${letters.slice(0, 43)}`
}
