import type { Connection } from '../connection.ts'

/** The shared state of steps: when the objects that they wrote were last changed. */
export type Progress = {
  connection: Connection
  /** `updated_at` by object, such as `plan pro`: as it was when the difference was shown, or as an earlier step left it. */
  stamps: Map<string, string>
}
