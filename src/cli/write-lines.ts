import { StartupError } from '../core/startup-error.ts'

/** Writes lines to standard output, and waits for a slow reader. */
export async function writeLines(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  await new Promise<void>((resolve, reject) => {
    const refuse = ({ message }: Error) =>
      reject(new StartupError(`The output ended early, because it cannot be written: ${message}`))
    process.stdout.once('error', refuse)
    process.stdout.write(`${lines.join('\n')}\n`, (error) => {
      if (error) return refuse(error)
      process.stdout.off('error', refuse)
      resolve()
    })
  })
}
