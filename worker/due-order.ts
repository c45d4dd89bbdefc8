type Due = { due_at: Date }

/**
 * The order in which events are sent: first attempts in the database's sequence, later attempts as their waits end, and the
 * two sorted lists merged by due time. If the clock steps back, a later attempt may move among the first ones, but first
 * attempts keep their order.
 */
export function mergeByDue<T extends Due>(first: readonly T[], later: readonly T[]): T[] {
  const merged: T[] = []
  let next = 0
  for (const event of first) {
    while (next < later.length && (later[next] as T).due_at < event.due_at) merged.push(later[next++] as T)
    merged.push(event)
  }
  return [...merged, ...later.slice(next)]
}
