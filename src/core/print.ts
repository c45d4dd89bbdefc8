import { inspect } from 'node:util'
import { toPrintable } from './printable.ts'
import { StartupError } from './startup-error.ts'

/** Prints the result of a command. `text` may quote what others wrote, but only the service may add line breaks. */
export function print(text: string): void {
  process.stdout.write(`${toLines(text)}\n`)
}

/** Prints something other than the result: the current step, or why there is no result. */
export function printNote(text: string): void {
  process.stderr.write(`${toLines(text)}\n`)
}

/** Prints a line of progress. On a terminal, the next line replaces it, unless `isLast`. */
export function printProgress(text: string, { isLast }: { isLast: boolean }): void {
  const line = toPrintable(text)
  process.stderr.write(process.stderr.isTTY ? `\r${line}\u001b[K${isLast ? '\n' : ''}` : `${line}\n`)
}

/** Prints only the message of an error that the person can correct, and everything about a bug. */
export function printError(error: unknown): void {
  printNote(error instanceof StartupError ? error.message : inspect(error))
}

/** Writes lines to standard output, and waits until a slow reader has taken them. */
export async function writeLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await write(`${lines.map(toPrintable).join('\n')}\n`)
}

/** Resolves when everything that was printed before has been written. */
export function waitForOutput(): Promise<void> {
  return write('')
}

function write(text: string): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const refuse = ({ message }: Error) =>
      reject(new StartupError(`The output ended early, because it cannot be written: ${message}`))
    process.stdout.once('error', refuse)
    process.stdout.write(text, (error) => {
      if (error) return refuse(error)
      process.stdout.off('error', refuse)
      resolve()
    })
  })
}

function toLines(text: string): string {
  return text.split('\n').map(toPrintable).join('\n')
}
