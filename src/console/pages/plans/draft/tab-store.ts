import { useSyncExternalStore } from 'react'

type TabStoreFormat<Value> = {
  empty: Value
  isEmpty(value: Value): boolean
  print(value: Value): string
  parse(text: string): Value
}

/** Stores a value for each organization. It survives a reload and leaving the page, and is deleted when the tab is closed. */
export function createTabStore<Value>(name: string, { empty, isEmpty, print, parse }: TabStoreFormat<Value>) {
  /** Caches the parsed values. Each read compares them with the storage, which is cleared when the person signs out. */
  const parsed = new Map<string, { text: string | null; value: Value }>()
  const listeners = new Set<() => void>()
  const keyOf = (organizationId: string) => `console:draft:${name} ${organizationId}`

  function parseOrEmpty(text: string | null): Value {
    try {
      return text === null ? empty : parse(text)
    } catch {
      return empty
    }
  }

  function read(organizationId: string): Value {
    const text = sessionStorage.getItem(keyOf(organizationId))
    const known = parsed.get(organizationId)
    if (known && known.text === text) return known.value
    const value = parseOrEmpty(text)
    parsed.set(organizationId, { text, value })
    return value
  }

  /** Returns the former value. */
  function update(organizationId: string, change: (value: Value) => Value): Value {
    const before = read(organizationId)
    const value = change(before)
    const text = isEmpty(value) ? null : print(value)
    if (text === null) sessionStorage.removeItem(keyOf(organizationId))
    else sessionStorage.setItem(keyOf(organizationId), text)
    parsed.set(organizationId, { text, value })
    for (const listener of listeners) listener()
    return before
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const use = (organizationId: string) => useSyncExternalStore(subscribe, () => read(organizationId))
  return { read, update, use }
}
