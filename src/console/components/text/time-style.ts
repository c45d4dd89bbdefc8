import { useSyncExternalStore } from 'react'

type TimeStyle = 'relative' | 'exact'

const key = 'console:times'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): TimeStyle {
  return localStorage.getItem(key) === 'exact' ? 'exact' : 'relative'
}

/** The person's choice of relative or exact times, kept in the browser. */
export function useTimeStyle(): TimeStyle {
  return useSyncExternalStore(subscribe, read)
}

export function setTimeStyle(style: TimeStyle): void {
  localStorage.setItem(key, style)
  for (const listener of listeners) listener()
}
