type Due = { due_at: Date }

/**
 * The order in which events are sent: first attempts in the database's sequence, later ones as their waits end, and the
 * two lists merged by due time. A clock that steps back can move a later attempt among first ones, but never one first
 * attempt before another. Each list is already sorted.
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
