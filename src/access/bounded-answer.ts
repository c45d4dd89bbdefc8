/** Large providers publish about ten keys, of one to two kilobytes with their certificates; a person may have hundreds of groups. */
const maxBytes = 256 * 1024

/** The text of a provider's answer. Throws once it becomes too long. */
export async function readBounded({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
