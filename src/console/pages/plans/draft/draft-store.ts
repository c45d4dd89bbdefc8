import { useSyncExternalStore } from 'react'
import { type Draft, emptyDraft, parseDraft, printDraft } from './draft.ts'

/*
 * The draft of each organization. It survives a reload and leaving the page, and is gone with the tab.
 */

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()
const keyOf = (organizationId: string) => `console:draft:plans ${organizationId}`

export function readDraft(organizationId: string): Draft {
  const known = drafts.get(organizationId)
  if (known) return known
  const draft = load(keyOf(organizationId))
  drafts.set(organizationId, draft)
  return draft
}

function load(key: string): Draft {
  try {
    return parseDraft(sessionStorage.getItem(key))
  } catch {
    return emptyDraft
  }
}

export function updateDraft(organizationId: string, change: (draft: Draft) => Draft): void {
  const draft = change(readDraft(organizationId))
  drafts.set(organizationId, draft)
  if (draft.size === 0) sessionStorage.removeItem(keyOf(organizationId))
  else sessionStorage.setItem(keyOf(organizationId), printDraft(draft))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDraft(organizationId: string): Draft {
  return useSyncExternalStore(subscribe, () => readDraft(organizationId))
}
