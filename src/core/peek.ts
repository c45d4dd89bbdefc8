import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** The first bytes of a stream, which stay in it; none of an empty one. Compiled with each part that imports files. */
export async function peek(stream: Readable): Promise<Uint8Array> {
  await Promise.race([once(stream, 'readable'), once(stream, 'end')])
  const chunk: Uint8Array | null = stream.read()
  if (chunk === null) return new Uint8Array()
  stream.unshift(chunk)
  return chunk
}
