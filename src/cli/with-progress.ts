import { printProgress } from '../core/print.ts'

/** A command calls this with its progress, as often as it likes. */
export type ShowProgress = (text: string) => void

type Options = {
  /** Whether each line replaces the previous one. */
  isTerminal?: boolean
  print?: typeof printProgress
}

const terminalIntervalMs = 200
const logIntervalMs = 10_000

/** Shows the progress of a long command: on a terminal in one line that changes, and elsewhere in a line every ten seconds. */
export async function withProgress<T>(
  use: (show: ShowProgress) => Promise<T>,
  { isTerminal = process.stderr.isTTY ?? false, print = printProgress }: Options = {},
): Promise<T> {
  const startedAt = performance.now()
  let text = ''
  let isShown = false
  const printLine = (isLast: boolean) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    print(`${text} (${seconds} s)`, { isLast })
    isShown = true
  }
  const timer = setInterval(() => text !== '' && printLine(false), isTerminal ? terminalIntervalMs : logIntervalMs)
  timer.unref()
  try {
    return await use((now) => {
      text = now
    })
  } finally {
    clearInterval(timer)
    // The next output must not overwrite a part of the line.
    if (isShown && isTerminal) printLine(true)
  }
}
