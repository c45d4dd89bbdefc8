import { exitCodes, Problem } from '../problem.ts'
import type { Progress } from './progress.ts'

/** Somebody else changed an object after the difference was shown. */
export class ChangedMeanwhile extends Problem {
  readonly object: string

  constructor(object: string, [happened, ...more]: readonly string[], cause?: unknown) {
    super([`${object} ${happened}`, ...more], {
      exitCode: exitCodes.changedMeanwhile,
      code: 'CHANGED_MEANWHILE',
      cause,
    })
    this.object = object
  }
}

/** Throws if the object has changed since it was read. The service does not check this when it archives or deletes. */
export async function assertUnchangedSinceRead(
  { connection, stamps }: Progress,
  { object, key }: { object: string; key: string },
): Promise<void> {
  const { updated_at } = await connection.ask(
    (api): PromiseLike<{ updated_at: string }> =>
      object.startsWith('plan') ? api.getPlan({ key }) : api.getFeature({ key }),
  )
  if (updated_at !== stamps.get(object)) throw new ChangedMeanwhile(object, ['was changed by somebody else.'])
}
