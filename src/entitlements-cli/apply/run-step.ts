import { type Api, ConflictError } from '../../client/api/index.ts'
import type { Step } from '../../core/catalog/steps.ts'
import { assertUnchangedSinceRead } from './changed-meanwhile.ts'
import { fallbacks } from './fallbacks.ts'
import type { Progress } from './progress.ts'

type WriteAnswer = { updated_at?: string } | undefined

/** Resolves to a description of the effect, if it differs from the step's action. */
export async function runStep(
  { object, change, fallback: otherwise }: Step,
  progress: Progress,
): Promise<string | null> {
  const { connection, stamps } = progress
  const { operation, key, input } = change
  const isUpdate = operation.startsWith('update_')
  // For an update, the service itself compares `expected_updated_at`. It does not do so when it archives or deletes.
  if (key !== undefined && !isUpdate) await assertUnchangedSinceRead(progress, { object, key })
  const parameters = {
    ...(key !== undefined && { key }),
    ...input,
    ...(isUpdate && { expected_updated_at: stamps.get(object) }),
  }
  try {
    const method = operation.replace(/_./, (letter) => letter.slice(1).toUpperCase()) as keyof Api
    const write = (api: Api) => (api[method] as (given: object) => PromiseLike<WriteAnswer>)(parameters)
    const written = await connection.ask(write)
    if (written?.updated_at) stamps.set(object, written.updated_at)
    return operation.startsWith('delete_') ? 'deleted' : null
  } catch (error) {
    if (otherwise === undefined || key === undefined || !(error instanceof ConflictError)) throw error
    return fallbacks[otherwise](key, error, progress)
  }
}
