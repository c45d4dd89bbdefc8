import { useSyncExternalStore } from 'react'

type Form<Value> = {
  empty: Value
  isEmpty(value: Value): boolean
  print(value: Value): string
  parse(text: string): Value
}

/** Stores a value for each organization. It survives a reload and leaving the page, and is gone with the tab. */
export function tabStore<Value>(name: string, { empty, isEmpty, print, parse }: Form<Value>) {
  const values = new Map<string, Value>()
  const listeners = new Set<() => void>()
  const keyOf = (organizationId: string) => `console:draft:${name} ${organizationId}`

  function load(key: string): Value {
    try {
      const text = sessionStorage.getItem(key)
      return text === null ? empty : parse(text)
    } catch {
      return empty
    }
  }

  function read(organizationId: string): Value {
    const known = values.get(organizationId)
    if (known) return known
    const value = load(keyOf(organizationId))
    values.set(organizationId, value)
    return value
  }

  /** Returns the former value. */
  function update(organizationId: string, change: (value: Value) => Value): Value {
    const before = read(organizationId)
    const value = change(before)
    values.set(organizationId, value)
    if (isEmpty(value)) sessionStorage.removeItem(keyOf(organizationId))
    else sessionStorage.setItem(keyOf(organizationId), print(value))
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
