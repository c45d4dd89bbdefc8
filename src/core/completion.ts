import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/** Adds the command `completion`, which prints a script for a shell. Call this after all other commands were added. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
  program.commands.find((command) => command.name() === 'completion')?.description('print a shell completion script')
}
