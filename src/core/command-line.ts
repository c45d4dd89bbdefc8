import type { CommanderError } from '@commander-js/extra-typings'

/** Commander's error message as a sentence: "Unknown option '--form' (Did you mean --from?). More: … --help". */
export function describeMisuse({ message }: CommanderError, program: string): string {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}. More: ${program} --help`
}
