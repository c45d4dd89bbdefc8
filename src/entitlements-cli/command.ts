import type { Output } from './output.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What a command reads and writes, besides its arguments and options. */
export type Context = { env: Environment; output: Output }

/** Stands below the options in the help of a command. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')
}
