type WithDueTime = { due_at: Date }

/**
 * Merges new events, sorted by the database's sequence, and events to retry, sorted by due time, into the order of sending. If
 * the clock steps back, retries may move, but first attempts keep their order.
 */
export function mergeByDueTime<T extends WithDueTime>(newEvents: readonly T[], retries: readonly T[]): T[] {
  const merged: T[] = []
  let next = 0
  for (const event of newEvents) {
    while (next < retries.length && (retries[next] as T).due_at < event.due_at) merged.push(retries[next++] as T)
    merged.push(event)
  }
  return [...merged, ...retries.slice(next)]
}
