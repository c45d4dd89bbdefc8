import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** The first bytes of a stream, which stay in the stream; no bytes if it is empty. */
export async function peek(stream: Readable): Promise<Uint8Array> {
  await Promise.race([once(stream, 'readable'), once(stream, 'end')])
  const chunk: Uint8Array | null = stream.read()
  if (chunk === null) return new Uint8Array()
  stream.unshift(chunk)
  return chunk
}

/** Reads lines, split only at line feeds: Node's `readline` also splits at characters that JSON allows within a text. */
export async function* linesOf(source: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const part of source.setEncoding('utf8')) {
    const lines = `${part}`.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() as string
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}
