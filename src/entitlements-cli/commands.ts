import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from './command.ts'
import { apply } from './commands/apply.ts'
import { check } from './commands/check.ts'
import { diff } from './commands/diff.ts'
import { importFile } from './commands/import.ts'
import { listen } from './commands/listen.ts'
import { mcp } from './commands/mcp.ts'
import { pull } from './commands/pull.ts'
import { types } from './commands/types.ts'

/** All commands, in the order of the help. */
export const commands: readonly ((context: Context) => CommandUnknownOpts)[] = [
  pull,
  diff,
  apply,
  types,
  check,
  importFile,
  listen,
  mcp,
]
