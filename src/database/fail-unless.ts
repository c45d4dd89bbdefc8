/** The code of the error that `failUnless` causes. */
export const conditionFailed = '22012'

/**
 * SQL that is 1 if the condition holds, and otherwise makes its statement fail with a division by zero. A statement must fail
 * by itself if COMMIT is sent before its answer arrives: PostgreSQL then rolls back (decision 21). SQL has no assertion outside
 * of PL/pgSQL, and a function in the database would be another object that all versions of the service have to agree on.
 */
export function failUnless(condition: string): string {
  return `1 / (${condition})::int`
}
