const hourMs = 3_600_000

/** An override that is neither live nor expired starts later. The time is rounded, so that reads do not repeat each second. */
export function scheduledVariables(subscriberId: string, now: Date) {
  const expiresAfter = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  return { subscriberId, expiresAfter }
}
