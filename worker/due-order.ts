type Due = { due_at: Date }

/**
 * The order in which events leave: first attempts in the database's sequence, later ones as their waits end, and between
 * the two by the time at which each was due. A clock that steps back can move a later attempt among first ones, never one
 * first attempt before another. Both lists come in their own order.
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
