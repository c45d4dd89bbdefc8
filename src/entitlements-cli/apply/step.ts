import type { Api } from '../../client/api/index.ts'
import type { Connection } from '../connection.ts'

/** What steps know of each other: when the objects that they wrote were last changed. */
export type Progress = {
  connection: Connection
  /** `updated_at` by object, such as `plan pro`: as it was when the difference was shown, or as an earlier step left it. */
  stamps: Map<string, string>
}

/** A write of the service; `input` is its body. */
type Change = Parameters<Api['previewCatalog']>[0]['changes'][number]

/** One write. */
export type Step = {
  /** `plan pro`. */
  object: string
  /** What it does to the object: `create`, `update`. */
  action: string
  change: Change
  /**
   * For a removal that the service may refuse with a conflict: what is done instead. Resolves to what happened; throws the conflict
   * if nothing can be done.
   */
  instead?: ((conflict: Error, progress: Progress) => Promise<string>) | undefined
}
