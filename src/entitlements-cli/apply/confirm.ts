import { createInterface } from 'node:readline/promises'
import { toPrintable } from '../../core/printable.ts'
import { exitCodes, Problem } from '../problem.ts'

/** Asks for confirmation on the terminal. Throws a Problem without a terminal, because nobody can confirm. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Problem(
      'Nobody can confirm this, because there is no terminal. Nothing was applied. Run it with --yes.',
      {
        exitCode: exitCodes.notConfirmed,
        code: 'NOT_CONFIRMED',
      },
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(`${toPrintable(question)} [y/N] `), closed])
  terminal.close()
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new Problem('Nothing was applied.', { exitCode: exitCodes.notConfirmed, code: 'NOT_CONFIRMED' })
}
