const hourMs = 3_600_000

/** What is not live, and has not expired, starts later. The time is rounded, so that the page does not ask each second. */
export function scheduledVariables(subscriberId: string, now: Date) {
  const expiresAfter = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  return { subscriberId, expiresAfter }
}
