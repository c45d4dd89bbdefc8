const hourMs = 3_600_000

/** An override that is neither live nor expired starts later. The time is rounded, so that the page does not ask each second. */
export function scheduledVariables(subscriberId: string, now: Date) {
  const expiresAfter = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  return { subscriberId, expiresAfter }
}
