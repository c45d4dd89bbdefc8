import type { Pool } from 'pg'

/** Runs a read on the database, or on its standby while the primary is gone. */
export type RunRead = <Result>(read: (pool: Pool) => Promise<Result>) => Promise<Result>
