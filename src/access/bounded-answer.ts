/**
 * Enough for a large provider, which publishes about ten keys of one to two kilobytes with their certificates, and for a person
 * with hundreds of groups.
 */
const maxBytes = 256 * 1024

/** Reads the text of a provider's answer. Throws as soon as the text is too long. */
export async function readBoundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
