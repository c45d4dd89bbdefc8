import type { WebhookAnswer } from '../webhook.ts'

/** The limit for a body; the service's events are far smaller. */
export const maxBodyBytes = 1024 * 1024

/** The answer to the sender of a webhook. The service's console shows it with the attempt. */
export type WebhookReply = { status: number; body: { error: { code: string; message: string } } | null }

export function toReply({ status, problem }: WebhookAnswer): WebhookReply {
  return problem === null ? { status, body: null } : refuse(status, 'WEBHOOK_REFUSED', problem)
}

export const tooLarge = refuse(413, 'BODY_TOO_LARGE', `A webhook has at most ${maxBodyBytes} bytes.`)

/** The receiver is set up wrongly. With status 500, the service sends the webhook again, when the receiver may be corrected. */
export function replyAlreadyParsed(remedy: string): WebhookReply {
  const problem =
    'The signature covers the body as it was sent, but something has parsed the body before webhookHandler.'
  return refuse(500, 'BODY_ALREADY_PARSED', `${problem} ${remedy}`)
}

function refuse(status: number, code: string, message: string): WebhookReply {
  return { status, body: { error: { code, message } } }
}

/** Collects a body of limited size. */
export class BodyCollector {
  readonly #chunks: Uint8Array[] = []
  #size = 0

  /** Returns false if the body is too large. */
  add(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    return this.#size <= maxBodyBytes
  }

  take(): Uint8Array {
    const body = new Uint8Array(this.#size)
    let at = 0
    for (const chunk of this.#chunks) {
      body.set(chunk, at)
      at += chunk.length
    }
    return body
  }
}
