import { execFileSync } from 'node:child_process'
import { dataFolder } from './built-service.ts'

/**
 * Copies the files of a PostgreSQL with the service's tables and no rows into a folder, in a tenth of the time that
 * `npm run migrate` takes. The files keep their owner. The setup of the project `system` makes the original before its tests.
 */
export function copyDataFolder(folder: string): string {
  execFileSync('cp', ['-a', `${dataFolder}/.`, folder])
  return folder
}
