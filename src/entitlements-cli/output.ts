import type { Writable } from 'node:stream'

/** Where a command writes: its result to standard output, everything else to standard error. */
export type Output = {
  /** Whether the result is one JSON document. */
  isJson: boolean
  /** A line of the result for people; nothing with `--json`. */
  print(text: string): void
  /** The result for programs; nothing without `--json`. */
  json(result: unknown): void
  /** A line of a result that has no end, for programs. */
  jsonLine(result: unknown): void
  /** A line that is not part of the result: a warning, or what happens now. */
  note(text: string): void
  /** Like `note`, but on a terminal the next one replaces it. */
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
    print(text) {
      closeLine()
      if (!isJson) stdout.write(`${text}\n`)
    },
    json(result) {
      closeLine()
      if (isJson) stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    },
    jsonLine(result) {
      if (isJson) stdout.write(`${JSON.stringify(result)}\n`)
    },
    note(text) {
      closeLine()
      stderr.write(`${text}\n`)
    },
    progress(text) {
      stderr.write(stderr.isTTY ? `\r${text}\u001b[K` : `${text}\n`)
      hasOpenLine = stderr.isTTY === true
    },
  }
}

/** `1,204`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 subscriber`, `1,204 subscribers`. */
export function countOf(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}
