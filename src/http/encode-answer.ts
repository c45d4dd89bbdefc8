import { partsOfAnswer } from '../core/stored-json.ts'
import { pauseAfterSlices } from '../fairness/turns.ts'

/** Shorter answers are encoded at once. */
const longLength = 262_144

/** The answer's JSON. A long one (up to 16 MB) is encoded in slices, so that other requests run in between. */
export async function encodeAnswer(answer: unknown, tenant: string): Promise<string | Buffer> {
  const parts = partsOfAnswer(answer)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length < longLength) return parts.join('')
  const pause = pauseAfterSlices(tenant)
  const encoded: Buffer[] = []
  for (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const end = endOfPiece(part, start)
      encoded.push(Buffer.from(part.slice(start, end)))
      start = end
      await pause()
    }
  }
  return Buffer.concat(encoded)
}

/** Never splits a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + longLength)
  return text.codePointAt(end - 1) !== text.charCodeAt(end - 1) ? end + 1 : end
}
