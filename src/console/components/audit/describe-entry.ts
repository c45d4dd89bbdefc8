import type { AuditEntryFragment } from '../../generated/audit.ts'
import { isObject } from './details.ts'
import { key, namePart, type Sentence, toText, unnamed, words } from './sentence.ts'
import { featureWordings } from './wording/features.ts'
import { overrideWordings } from './wording/overrides.ts'
import { planWordings } from './wording/plans.ts'
import { subscriberWordings } from './wording/subscribers.ts'
import { teamWordings } from './wording/team.ts'
import { webhookWordings } from './wording/webhook.ts'
import type { EntryFacts, Wordings } from './wording/wording.ts'

export type AuditEntry = AuditEntryFragment

/** Names of members and of service accounts by id, where known. */
export type Names = ReadonlyMap<string, string>

/** The wordings of all entries that an organization's log may hold, by method and route. */
export const wordings: Wordings = {
  ...featureWordings,
  ...planWordings,
  ...subscriberWordings,
  ...overrideWordings,
  ...webhookWordings,
  ...teamWordings,
}

/** Whether the request was carried out. */
export function isDone({ outcome, status }: Pick<AuditEntry, 'outcome' | 'status'>): boolean {
  return outcome === 'RESPONDED' && status !== null && status < 400
}

/** The text after the actor's name: "raised limit `seats` on plan `pro` from 10 to 25". */
export function describeEntry(entry: AuditEntry, names: Names = new Map()): Sentence {
  const { method, route } = entry
  const wording = wordings[`${method} ${route}`]
  const facts = toEntryFacts(entry, names)
  // The server is newer than this page, and has a route that the page does not know.
  if (!wording) return words`sent ${key(`${method} ${fillIn(route, facts)}`)}`
  if (isDone(entry)) return wording.did(facts)
  return words`tried to ${wording.tried(facts)}`
}

/** An action without its object, such as "Change plan …", for lists to choose from. */
export function describeAction(action: string): string {
  const facts: EntryFacts = { param: () => '…', details: null, createdId: null, at: new Date(0), nameOf: () => '…' }
  const text = toText(wordings[action]?.tried(facts) ?? [action])
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function toEntryFacts({ params, details, createdId, occurredAt }: AuditEntry, names: Names): EntryFacts {
  const values = new Map(params.map(({ name, value }) => [name, value]))
  return {
    param: (name) => values.get(name) ?? '',
    details: isObject(details) ? details : null,
    createdId,
    at: new Date(occurredAt),
    nameOf(type, id) {
      const name = names.get(id)
      return name === undefined ? unnamed({ type, id }) : namePart(name)
    },
  }
}

/** The route with its parameters filled in: "/org/plans/pro". */
function fillIn(route: string, { param }: EntryFacts): string {
  return route.replace(/\{(\w+)\}/g, (braces, name: string) => param(name) || braces)
}
