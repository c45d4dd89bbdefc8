/** An event of a stream of server-sent events. */
export type SentEvent = { id: string; event: string; data: string }

/** Yields the events of a body of server-sent events as they arrive. */
export async function* readSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<SentEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() as string
    for (const block of blocks) yield toEvent(block)
  }
}

function toEvent(block: string): SentEvent {
  const fields = block.split('\n').map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
  return { id: '', event: '', data: '', ...Object.fromEntries(fields) }
}
