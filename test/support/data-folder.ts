import { execFileSync } from 'node:child_process'
import { dataFolder } from './built-service.ts'

/**
 * Fills a folder with the files that `npm run migrate` leaves in an empty one, in a tenth of the time: a PostgreSQL with the
 * service's tables and no rows. Files keep their owner. Before the tests of the project `system`, their setup makes the
 * original.
 */
export function copyDataFolder(folder: string): string {
  execFileSync('cp', ['-a', `${dataFolder}/.`, folder])
  return folder
}
