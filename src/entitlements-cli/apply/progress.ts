import type { Connection } from '../connection.ts'

/** The state that the steps share: the connection, and when objects were last changed. */
export type Progress = {
  connection: Connection
  /** `updated_at` by object, such as `plan pro`: from when the difference was shown, or from an earlier step's write. */
  stamps: Map<string, string>
}
