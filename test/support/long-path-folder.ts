import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { parentOfData } from './memory-folder.ts'

/**
 * A data folder whose path is too long for a Unix socket, so that its PostgreSQL listens on TCP: for the tests' proxies, and
 * for PgBouncer, which runs as another user.
 */
export function createLongPathFolder(name: string, parent = parentOfData()): string {
  return mkdtempSync(join(parent, `${name}-${'too-long-for-a-socket-'.repeat(5)}`))
}
