import type { Connection } from '../connection.ts'

/** The shared state of steps: when the objects that they wrote were last changed. */
export type Progress = {
  connection: Connection
  /** `updated_at` by object, such as `plan pro`: from when the difference was shown, or from an earlier step's write. */
  stamps: Map<string, string>
}
