import type * as HeyApi from './generated/hey-api/index.js'
import type { components, webhooks } from './generated/openapi-typescript.js'

/* Only compiled, never run: what a developer expects of the generated types. */

type Schemas = components['schemas']
type Entitlement = Schemas['Entitlement'] | HeyApi.Entitlement

export function seatsOf(entitlement: Entitlement): number | null {
  if (entitlement.kind === 'limit') return entitlement.limit
  // @ts-expect-error: only entitlements of kind limit have a limit.
  return entitlement.limit
}

export function regionOf(entitlement: Entitlement): unknown {
  if (entitlement.kind !== 'config') return null
  const { value } = entitlement
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    return value
  return Array.isArray(value) ? value[0] : value.region
}

export function allowedOf(override: Schemas['Override'] | HeyApi.Override): boolean | undefined {
  return override.kind === 'flag' ? override.allowed : undefined
}

export function optionsOf(feature: Schemas['Feature'] | HeyApi.Feature): readonly string[] {
  return feature.kind === 'config' && feature.value_type === 'enum' ? (feature.options ?? []) : []
}

/** A config value may be any JSON. */
export const grants: (Schemas['GrantInput'] & HeyApi.GrantInput)[] = [
  { kind: 'config', value: { region: 'eu', tiers: [1, 2, 3], trial: false } },
  { kind: 'config', value: ['eu', { nested: null }] },
  { kind: 'limit', limit: null },
  { kind: 'flag' },
  // @ts-expect-error: a limit has no value.
  { kind: 'limit', value: 5 },
]

export const roles: (Schemas['Member']['role'] & HeyApi.Member['role'])[] = [
  'admin',
  'developer',
  'support',
  'viewer',
  'evaluator',
  // @ts-expect-error: there is no such role.
  'owner',
]

/** Absent, null and a value are three cases. */
export const named: (Schemas['CreateSubscriberInput'] & HeyApi.CreateSubscriberInput)[] = [
  { subscriber_id: 'acme' },
  { subscriber_id: 'acme', name: null },
  { subscriber_id: 'acme', name: 'Acme' },
  // @ts-expect-error: the id is required.
  { name: 'Acme' },
]

type Payload<Event extends keyof webhooks> = webhooks[Event]['post']['requestBody']['content']['application/json']
type Event =
  | Payload<'entitlements.stale' | 'plan.grants.updated' | 'webhook.test'>
  | HeyApi.EntitlementsStaleEvent
  | HeyApi.PlanGrantsUpdatedEvent
  | HeyApi.WebhookTestEvent

export function staleIn(event: Event): string | null {
  switch (event.type) {
    case 'entitlements.stale':
      return event.cause === 'subscriber' ? event.subscriber_id : (event.features?.[0] ?? event.subscriber_id)
    case 'plan.grants.updated':
      return event.key
    case 'webhook.test':
      return null
  }
}
