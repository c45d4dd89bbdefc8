/**
 * Writes an override that ends after this time, and again with a later end if it ended before the write was answered: an
 * override that is over when it is written was never in force. Resolves to the last end, in milliseconds since 1970.
 */
export async function writeEndingSoon(
  afterMs: number,
  write: (expiresAt: string) => Promise<unknown>,
): Promise<number> {
  for (let ms = afterMs; ; ms *= 2) {
    const endsAt = Date.now() + ms
    await write(new Date(endsAt).toISOString())
    if (Date.now() < endsAt) return endsAt
  }
}
