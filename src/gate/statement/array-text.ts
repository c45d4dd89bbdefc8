/* Writes the values of evals as PostgreSQL's arrays in text format. */

/** Quotes a value as an element of an array in text format. */
export function quoteElement(value: string): string {
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

/**
 * Replaces an id that no subscriber can have with the empty text. PostgreSQL would refuse U+0000, and with it the whole batch;
 * a lone surrogate would be sent as U+FFFD, which may be part of another subscriber's id.
 */
export function toStorableId(subscriberId: string): string {
  return subscriberId.includes('\0') || !subscriberId.isWellFormed() ? '' : subscriberId
}

/** Joins feature keys by commas. Known features are valid keys and need no check. */
export function joinFeatures(features: readonly string[], areKnown: boolean): string {
  return areKnown ? features.join() : features.map(featureKeyOrNone).join()
}

/** Keys are joined by commas without escaping, so an invalid key is replaced by `!`, which no feature has. */
function featureKeyOrNone(key: string): string {
  return /^[a-z0-9_-]{1,64}$/.test(key) ? key : '!'
}
