declare module 'pg/lib/utils.js' {
  /** Converts a value to the format in which the driver sends it. */
  export function prepareValue(value: unknown): string | Buffer | null
}
