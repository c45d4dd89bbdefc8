import type { FromPrimary, FromProcess } from './messages.ts'

/** Returns the answer to the primary, as JSON. */
type ReadAnswer = () => Promise<unknown>

let readAnswer: ReadAnswer = async () => null

/** Handles the messages of this process's primary. When the primary ends, node:cluster ends this process as well. */
export function handlePrimaryMessages(on: { stop(): void; leave(): void }): void {
  process.on('message', (message: FromPrimary) => {
    if (message.kind === 'ask') void sendAnswer(message.id)
    else on[message.kind]()
  })
}

/** Sets the function with which this process answers the primary's `ask`. */
export function answerPrimary(next: ReadAnswer): void {
  readAnswer = next
}

/** Sends the primary a last answer, which the primary uses after this process has ended. */
export function sendLastAnswer(): Promise<void> {
  return sendAnswer(null)
}

async function sendAnswer(id: number | null): Promise<void> {
  await sendToPrimary({ kind: 'answer', id, answer: await readAnswer().catch(() => null) })
}

/** Resolves once the message is sent or cannot be sent: the primary may just have ended, and then this process ends, too. */
export function sendToPrimary(message: FromProcess): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve())
    else resolve()
  })
}
