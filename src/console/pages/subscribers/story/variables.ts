const hourMs = 3_600_000

/**
 * The variables of the query for overrides that start later, which are neither live nor expired. The time is rounded to the
 * hour, so that the query is not repeated each second.
 */
export function scheduledVariables(subscriberId: string, now: Date) {
  const expiresAfter = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  return { subscriberId, expiresAfter }
}
