/**
 * A value as it is sent to PostgreSQL: a text, or bytes. A `TypeError` for anything but null, dates, bytes, strings, numbers,
 * booleans, bigints, and lists of these.
 */
export function toParameter(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
  }
  if (value === null || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(toElement).join()}}`
  throw new TypeError(`A value of type ${typeof value} cannot be sent to the database.`)
}

/** In the literal of an array. */
function toElement(value: unknown): string {
  const parameter = toParameter(value)
  if (parameter === null) return 'NULL'
  if (Array.isArray(value)) return parameter as string
  if (typeof parameter !== 'string') return `"\\\\x${parameter.toString('hex')}"`
  return `"${parameter.replaceAll(/["\\]/g, '\\$&')}"`
}
