/** Whether an override with this start begins after this time. */
export function startsLater(startsAt: string | null, now = new Date()): startsAt is string {
  return startsAt !== null && new Date(startsAt) > now
}
