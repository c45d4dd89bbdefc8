/** How the values of evals are written into the text of PostgreSQL's arrays. */

/** An element of an array's text form. */
export function quoted(value: string): string {
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

/**
 * PostgreSQL refuses U+0000, and with it every eval of the batch; a lone surrogate would be sent as U+FFFD, which may be
 * another subscriber's id. No subscriber has such an id, nor an empty one.
 */
export function storable(subscriberId: string): string {
  return subscriberId.includes('\0') || !subscriberId.isWellFormed() ? '' : subscriberId
}

/** Those that the catalog has are keys. */
export function joined(features: readonly string[], areKnown: boolean): string {
  return areKnown ? features.join() : features.map(featureKeyOrNone).join()
}

/** Keys are joined by commas without escaping, so a text that cannot be a key is replaced by another that cannot. */
function featureKeyOrNone(key: string): string {
  return /^[a-z0-9_-]{1,64}$/.test(key) ? key : '!'
}
