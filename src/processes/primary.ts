import type { FromPrimary, FromProcess } from './messages.ts'

/** Answers a question of the primary, with JSON. */
type Answer = () => unknown | Promise<unknown>

const answers = new Map<string, Answer>()

/** Follows what the primary of this process says. Its end ends this process as well: node:cluster sees to that. */
export function followPrimary(on: { stop(): void; leave(): void }): void {
  process.on('message', (message: FromPrimary) => {
    if (message.kind === 'ask') void answer(message.id, message.question)
    else on[message.kind]()
  })
}

/** From now on, the primary's `ask` gets this answer from this process. */
export function answerPrimary(question: string, answer: Answer): void {
  answers.set(question, answer)
}

export function tellPrimary(message: FromProcess): void {
  // The primary may just have ended; this process follows it.
  process.send?.(message, undefined, undefined, () => {})
}

async function answer(id: number, question: string): Promise<void> {
  tellPrimary({ kind: 'answer', id, answer: (await answers.get(question)?.()) ?? null })
}
