import type { Change, Step } from '../../core/catalog/steps.ts'
import type { Connection } from '../connection.ts'
import { formatNumber, type Output } from '../output.ts'

/** A change that the service would refuse. */
export type Refusal = { object: string; code: string; reason: string }

/** The maximum number of changes that the service previews in one request, and less than its default limit for a body. */
const max = { changes: 200, bytes: 1_000_000 }

/** Asks the service which steps it would refuse: the first ones, as many as fit in a request. Changes nothing. */
export async function previewRefusals(
  steps: readonly Step[],
  { ask }: Pick<Connection, 'ask'>,
  { note }: Pick<Output, 'note'>,
): Promise<Refusal[]> {
  const changes = firstChanges(steps)
  if (changes.length < steps.length) {
    note(
      `The service checks the first ${changes.length} of ${formatNumber(steps.length)} changes in advance. If it refuses a later one, "apply" stops there.`,
    )
  }
  if (changes.length === 0) return []
  const { refusals } = await ask((api) => api.previewCatalog({ changes }))
  return refusals.flatMap(({ index, code, message, details }) => {
    const { object, fallback } = steps[index] as Step
    if (fallback && code === 'CONFLICT') return []
    return [{ object, code, reason: fieldsOf(details)?.join(' ') ?? message }]
  })
}

function firstChanges(steps: readonly Step[]): Change[] {
  const changes: Change[] = []
  let bytes = 0
  for (const { change } of steps.slice(0, max.changes)) {
    bytes += Buffer.byteLength(JSON.stringify(change)) + 1
    if (bytes > max.bytes) break
    changes.push(change)
  }
  return changes
}

function fieldsOf(details: { fields?: unknown } | null): string[] | undefined {
  const fields = details?.fields as { path: string; message: string }[] | undefined
  return fields?.map(({ path, message }) => `${path}: ${message}`)
}

export function describeRefusal({ object, code, reason }: Refusal): string {
  return `${object}: ${code}: ${reason}`
}
