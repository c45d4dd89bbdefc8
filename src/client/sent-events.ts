import { type BodyReader, newDecoder } from './platform.ts'

export type SentEvent = { id: string; event: string; data: string }

/** Reads server-sent events. */
export async function* readSentEvents(body: { getReader(): BodyReader }): AsyncGenerator<SentEvent, void> {
  const reader = body.getReader()
  const decoder = newDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() as string
      for (const block of blocks) {
        const event = toEvent(block)
        if (event) yield event
      }
    }
  } finally {
    // The caller has stopped reading. Cancel the stream, but do not wait until it has ended.
    reader.cancel().catch(() => {})
  }
}

/** Null for a comment, which keeps a connection open. */
function toEvent(block: string): SentEvent | null {
  const event = { id: '', event: 'message', data: '' }
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (name === 'data' && event.data !== '') event.data += `\n${value}`
    else if (name) event[name as keyof SentEvent] = value as string
  }
  return event.data === '' ? null : event
}
