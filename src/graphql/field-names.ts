import { DomainError, type FieldError } from '../core/errors.ts'

/** Runs; where that is a 422, its fields get the names that the client of this door knows. */
export async function withFieldNames<Result>(
  rename: (path: string) => string,
  run: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error
    const fields = (error.details?.fields ?? []) as FieldError[]
    const renamed = fields.map(({ path, message }) => ({ path: rename(path), message }))
    throw new DomainError('VALIDATION_ERROR', error.message, { fields: renamed })
  }
}
