import type { Step } from '../../core/catalog/steps.ts'
import type { Connection } from '../connection.ts'
import { formatNumber, type Output } from '../output.ts'

/** A change that the service would refuse. */
export type Refusal = { object: string; code: string; reason: string }

/** The maximum number of changes that the service previews in one request. */
const maxChanges = 200

/** Asks the service which of the first 200 steps it would refuse, and notes if there are more. Changes nothing. */
export async function previewRefusals(
  steps: readonly Step[],
  { ask }: Pick<Connection, 'ask'>,
  { note }: Pick<Output, 'note'>,
): Promise<Refusal[]> {
  if (steps.length === 0) return []
  if (steps.length > maxChanges) {
    note(
      `The service checks the first ${maxChanges} of ${formatNumber(steps.length)} changes in advance. If it refuses a later one, "apply" stops there.`,
    )
  }
  const changes = steps.slice(0, maxChanges).map(({ change }) => change)
  const { refusals } = await ask((api) => api.previewCatalog({ changes }))
  return refusals.flatMap(({ index, code, message, details }) => {
    const { object, fallback } = steps[index] as Step
    if (fallback && code === 'CONFLICT') return []
    return [{ object, code, reason: fieldsOf(details)?.join(' ') ?? message }]
  })
}

function fieldsOf(details: { fields?: unknown } | null): string[] | undefined {
  const fields = details?.fields as { path: string; message: string }[] | undefined
  return fields?.map(({ path, message }) => `${path}: ${message}`)
}

export function describeRefusal({ object, code, reason }: Refusal): string {
  return `${object}: ${code}: ${reason}`
}
