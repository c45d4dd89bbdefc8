import { createOwnDatabase } from '../support/own-database.ts'
import { onlyLine, runCommand } from './server-process.ts'

const organization = ['--organization', '01ARZ3NDEKTSV4RRFFQ69G5FAV']
export const MASTER_KEY = Buffer.alloc(32, 1).toString('base64')
const MASTER_KEY_PREVIOUS = Buffer.alloc(32, 2).toString('base64')

/** The commands that use the database, with the arguments and the additional variables that each needs to do its work. */
export const commands: Record<string, { args: string[]; env?: Record<string, string> }> = {
  'audit-export': { args: organization },
  'audit-verify': { args: ['--database'] },
  'changes-reset': { args: [] },
  'master-key-rotate': { args: [], env: { MASTER_KEY_PREVIOUS } },
  'org-create': { args: ['--name', 'Acme'] },
  'org-delete': { args: [...organization, '--yes'] },
  'org-export': { args: organization },
  'org-key': { args: organization },
  'org-limits': { args: [...organization, '--rate', '5'] },
  'org-move': { args: [...organization, '--installation', 'b', '--to'] },
  'org-usage': { args: [] },
  'user-reset-password': { args: ['--email', 'ada@example.org'] },
}

/** The one line that a command prints when it refuses this database. */
export async function runOn(url: string, command: string): Promise<string> {
  const { args, env } = commands[command] ?? { args: [] }
  const to = args.at(-1) === '--to' ? [await createOwnDatabase()] : []
  return onlyLine(await runCommand(command, [...args, ...to], { DATABASE_URL: url, MASTER_KEY, ...env }))
}
