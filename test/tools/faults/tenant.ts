import { type Receiver, startReceiver } from '../../support/receiver.ts'
import type { Tenant, Tenants } from '../../support/tenants.ts'
import { Subject } from './subject.ts'

/** A writer alternates between an override of its own subscriber and the grants of its own plan. */
export type Writer = { name: string; override: Subject; plan: Subject }

/** An organization under load, whose events go to a receiver. */
export type LoadedTenant = Tenant & { receiver: Receiver; writers: Writer[] }

/** An organization with the limit `seats`; for each writer a subscriber with an override, and one on a plan. */
export async function createTenant(tenants: Tenants, url: string, writerCount: number): Promise<LoadedTenant> {
  const tenant = await tenants.create()
  const headers = { ...tenant.headers, 'content-type': 'application/json' }
  async function must(method: string, path: string, body: unknown): Promise<void> {
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }

  await must('POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  const writers = Array.from({ length: writerCount }, (_, index) => {
    const name = `w${index}`
    return { name, override: new Subject('override', name), plan: new Subject('plan', `${name}-plan`) }
  })
  for (const { override, plan } of writers) {
    await must('POST', '/org/subscribers', { subscriber_id: override.key })
    await must('PUT', override.path, override.bodyOf(0))
    await must('POST', '/org/plans', { key: plan.key, name: plan.key, ...plan.bodyOf(0) })
    await must('POST', '/org/subscribers', { subscriber_id: plan.key })
    await must('POST', `/org/subscribers/${plan.key}/subscriptions`, { plan_id: plan.key })
  }
  // Comes last, so that the setup queues no events.
  const receiver = await startReceiver()
  await must('PUT', '/org/webhook', { url: `${receiver.url}/` })
  return { ...tenant, receiver, writers }
}
