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
