import { useSyncExternalStore } from 'react'
import { queryClient } from '../api/query-client.ts'
import { PersonDocument } from '../generated/session.ts'
import { readOptions } from './queries.ts'

/*
 * Secrets that were just created. They cannot be read again, so each is shown until the person confirms that they have
 * stored it. Secrets are in this page's memory, and in the tab's storage only while the page is hidden or reloads, so that
 * a duplicated tab has no copy.
 */

export type NewSecret = { kind: 'WEBHOOK' | 'API_KEY'; value: string }

type ShownSecret = NewSecret & { userId: string }

const key = 'console:new-secrets'
let shownSecrets: readonly ShownSecret[] = []
const listeners = new Set<() => void>()

function setSecrets(next: readonly ShownSecret[]): void {
  shownSecrets = next
  for (const listener of listeners) listener()
}

/** Shows the secret over the page that is open now, which may not be the page that created the secret. */
export function showNewSecret(secret: NewSecret): void {
  const person = queryClient.getQueryData(readOptions(null, PersonDocument, {}).queryKey)
  if (person) setSecrets([...shownSecrets, { ...secret, userId: person.user.userId }])
}

/** Shows this person's secrets from before a reload again, and drops all others. With null, nobody is signed in. */
export function keepOnlySecretsOf(userId: string | null): void {
  setSecrets([...shownSecrets, ...takeStoredSecrets()].filter((each) => each.userId === userId))
}

function takeStoredSecrets(): ShownSecret[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]')
  } catch {
    return []
  } finally {
    sessionStorage.removeItem(key)
  }
}

function storeWhileHidden(): void {
  if (shownSecrets.length > 0) sessionStorage.setItem(key, JSON.stringify(shownSecrets))
}

// The browser may discard a hidden page without another event, and load it again later.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) storeWhileHidden()
  else sessionStorage.removeItem(key)
})
window.addEventListener('pagehide', storeWhileHidden)

/** The secret to show; null if there is none. */
export function useNewSecret(): NewSecret | null {
  return useSyncExternalStore(subscribe, () => shownSecrets[0] ?? null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Hides the shown secret, because the person has stored it. */
export function confirmStored(): void {
  setSecrets(shownSecrets.slice(1))
}
