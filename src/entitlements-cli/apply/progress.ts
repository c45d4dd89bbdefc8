import type { Connection } from '../connection.ts'

/** What steps know of each other: when the objects that they wrote were last changed. */
export type Progress = {
  connection: Connection
  /** `updated_at` by object, such as `plan pro`: as it was when the difference was shown, or as an earlier step left it. */
  stamps: Map<string, string>
}
