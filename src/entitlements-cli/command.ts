import type { Output } from './output.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The input and output of a command, besides its arguments and options. */
export type Context = { env: Environment; output: Output }

/** Formats the examples that the help of a command shows below the options. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')
}
