import { DomainError } from '../core/errors.ts'
import { Late, within } from '../core/within.ts'

/** A line without its end; `text` is null if it is too long. */
export type TextLine = { number: number; text: Buffer | null }

export type LineLimits = {
  maxLineBytes: number
  /** The longest wait for more of the body. */
  idleMs: number
}

const lineFeed = 0x0a
const byteOrderMark = Buffer.from('\uFEFF')

/**
 * The lines of a body as they arrive, a list for each part of it that has whole ones. Lines count from 1, empty ones too, which are
 * left out. Holds no more of the body than one part and one line. 400 when the body breaks off, or nothing more of it arrives.
 */
export async function* readLines(
  body: AsyncIterable<Buffer>,
  { maxLineBytes, idleMs }: LineLimits,
): AsyncGenerator<TextLine[]> {
  let number = 0
  let begun: Buffer[] = []
  let begunBytes = 0

  function take(piece: Buffer): void {
    begunBytes += piece.length
    // The rest of a line that is too long is only counted.
    if (begunBytes <= maxLineBytes) begun.push(piece)
  }
  function end(): TextLine | null {
    number += 1
    const text = begunBytes > maxLineBytes ? null : joined(begun)
    begun = []
    begunBytes = 0
    if (text === null) return { number, text }
    const line = number === 1 && text.subarray(0, 3).equals(byteOrderMark) ? text.subarray(3) : text
    return isBlank(line) ? null : { number, text: line }
  }

  for await (const part of untilIdle(body, idleMs)) {
    const lines: TextLine[] = []
    let from = 0
    for (let at = part.indexOf(lineFeed); at !== -1; at = part.indexOf(lineFeed, from)) {
      take(part.subarray(from, at))
      const line = end()
      if (line) lines.push(line)
      from = at + 1
    }
    take(part.subarray(from))
    yield lines
  }
  const last = begunBytes > 0 ? end() : null
  if (last) yield [last]
}

function joined(pieces: Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
}

/** Whether it has only spaces, tabs and a carriage return. */
function isBlank(text: Buffer): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

async function* untilIdle(body: AsyncIterable<Buffer>, idleMs: number): AsyncGenerator<Buffer> {
  const parts = body[Symbol.asyncIterator]()
  try {
    while (true) {
      const next = await within(performance.now() + idleMs, parts.next()).catch((error) => {
        throw brokenOff(error)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: it waits for the part that did not come.
    void parts.return?.(undefined)
  }
}

function brokenOff(error: unknown): DomainError {
  const reason =
    error instanceof Late
      ? 'Nothing more of the body arrived for too long, so the rest was not read.'
      : 'The connection ended in the middle of the body.'
  return new DomainError('INVALID_JSON', `${reason} What was read is applied. Send the request again.`, null, error)
}
