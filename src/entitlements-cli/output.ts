import type { Writable } from 'node:stream'
import { toPrintable } from '../core/printable.ts'

/**
 * A command writes its result to standard output, and everything else to standard error. Lines may contain untrusted text.
 */
export type Output = {
  /** Whether the result is one JSON document. */
  isJson: boolean
  /** Prints lines of the result, or lists of lines, for people. Prints nothing with `--json`. */
  print(...lines: readonly (string | readonly string[])[]): void
  /** Prints the result for programs. Prints nothing without `--json`. */
  json(result: unknown): void
  /** Prints one line of an endless result, for programs. Prints nothing without `--json`. */
  jsonLine(result: unknown): void
  /** Prints lines that are not part of the result: a warning, or the current step. */
  note(...lines: readonly (string | readonly string[])[]): void
  /** Like `note`, but on a terminal the next call replaces the line. */
  progress(text: string): void
}

type Streams = { stdout: Writable; stderr: Writable & { isTTY?: boolean } }

export function createOutput({ stdout, stderr }: Streams, isJson: boolean): Output {
  let hasOpenLine = false
  const closeLine = () => {
    if (hasOpenLine) stderr.write('\n')
    hasOpenLine = false
  }
  return {
    isJson,
    print(...lines) {
      closeLine()
      if (!isJson) stdout.write(toLines(lines.flat()))
    },
    json(result) {
      closeLine()
      if (isJson) stdout.write(toLines(JSON.stringify(result, null, 2).split('\n')))
    },
    jsonLine(result) {
      if (isJson) stdout.write(toLines([JSON.stringify(result)]))
    },
    note(...lines) {
      closeLine()
      stderr.write(toLines(lines.flat()))
    },
    progress(text) {
      stderr.write(stderr.isTTY ? `\r${toPrintable(text)}\u001b[K` : toLines([text]))
      hasOpenLine = stderr.isTTY === true
    },
  }
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${toPrintable(line)}\n`).join('')
}

/** `1,204`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 subscriber`, `1,204 subscribers`. */
export function countOf(value: number, singular: string): string {
  return `${formatNumber(value)} ${singular}${value === 1 ? '' : 's'}`
}
