import { ServiceUnavailableError, TimeoutError } from '../../client/api/index.ts'
import type { Catalog } from '../../core/catalog/catalog.ts'
import { takePreviewableSteps } from '../../core/catalog/previewable.ts'
import type { Step } from '../../core/catalog/steps.ts'
import type { Connection } from '../connection.ts'
import { formatNumber, type Output } from '../output.ts'
import { Problem } from '../problem.ts'

/** A change that the service would refuse. */
export type Refusal = { object: string; code: string; reason: string }

type Settings = { connection: Pick<Connection, 'ask'>; target: Catalog; output: Pick<Output, 'note'> }

/**
 * Asks the service which of the steps it would refuse, without writing anything. Sends only the first steps, as many as the
 * service can check at once.
 */
export async function previewRefusals(
  steps: readonly Step[],
  { connection, target, output }: Settings,
): Promise<Refusal[]> {
  const previewed = takePreviewableSteps(steps, target)
  if (previewed.length < steps.length) {
    output.note(
      `The service checks the first ${previewed.length} of ${formatNumber(steps.length)} changes in advance. If it refuses a later one, "apply" stops there.`,
    )
  }
  if (previewed.length === 0) return []
  const changes = previewed.map(({ change }) => change)
  const { refusals } = await connection
    .ask((api) => api.previewCatalog({ changes }))
    .catch((error) => {
      if (!isTooSlow(error)) throw error
      output.note('The service could not check the changes in time. If it refuses one, "apply" stops there.')
      return { refusals: [] }
    })
  return refusals.flatMap(({ index, code, message, details }) => {
    const { object, fallback } = steps[index] as Step
    if (fallback && code === 'CONFLICT') return []
    return [{ object, code, reason: fieldsOf(details)?.join(' ') ?? message }]
  })
}

/** Whether a busy service has no time for a preview, although it may have time for each of the changes. */
function isTooSlow(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof TimeoutError || cause instanceof ServiceUnavailableError
}

function fieldsOf(details: { fields?: unknown } | null): string[] | undefined {
  const fields = details?.fields as { path: string; message: string }[] | undefined
  return fields?.map(({ path, message }) => `${path}: ${message}`)
}

export function describeRefusal({ object, code, reason }: Refusal): string {
  return `${object}: ${code}: ${reason}`
}
