let aheadMs = 0

/** Compares the browser's clock, which may be wrong, with the time of a response. */
export function noteServerTime({ headers }: Response): void {
  const sentAt = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(sentAt)) aheadMs = sentAt - Date.now()
}

/** The time by the server's clock, accurate to about a second. */
export function serverNow(): Date {
  return new Date(Date.now() + aheadMs)
}
