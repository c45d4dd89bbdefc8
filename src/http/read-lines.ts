import { DeadlineExceeded, withDeadline } from '../core/deadline.ts'
import { DomainError } from '../core/errors.ts'

/** A line without its line end; `text` is null if the line is too long. */
export type TextLine = { number: number; text: Buffer | null }

type LineLimits = {
  maxLineBytes: number
  /** The maximum total wait for a line that is not empty, or for `minBytes` of such a line. */
  idleMs: number
  minBytes: number
  /** The maximum bytes without a line that is not empty: line ends, blanks, and the rest of a line that is too long. */
  maxEmptyBytes: number
}

const lineFeed = 0x0a
const byteOrderMark = Buffer.from('\uFEFF')
const nothing = Buffer.alloc(0)
/** The maximum number of lines in one list, including empty lines. The reader can pause between two lists. */
const lineEndsPerList = 256

/**
 * The lines of a body as they arrive, in short lists, which may be empty. Line numbers count from 1 and include empty lines,
 * which are left out. Keeps at most one part and one line in memory. Throws 400 if the body ends early or no line arrives in
 * time. Contract: Import 6.
 */
export async function* readLines(body: AsyncIterable<Buffer>, limits: LineLimits): AsyncGenerator<TextLine[]> {
  const unfinishedLine = new UnfinishedLine(limits.maxLineBytes)
  const lineTimeout = new LineTimeout(limits)
  let number = 0

  function end(): TextLine | null {
    number += 1
    const text = unfinishedLine.take()
    if (text === null) return { number, text }
    const line = number === 1 && text.subarray(0, 3).equals(byteOrderMark) ? text.subarray(3) : text
    return isBlank(line) ? null : { number, text: line }
  }

  for await (const part of readParts(body, lineTimeout)) {
    let lines: TextLine[] = []
    let [from, ends, hasLine] = [0, 0, false]
    for (let at = part.indexOf(lineFeed); at !== -1; at = part.indexOf(lineFeed, from)) {
      unfinishedLine.add(part.subarray(from, at))
      const line = end()
      if (line) lines.push(line)
      from = at + 1
      ends += 1
      if (ends % lineEndsPerList > 0) continue
      hasLine ||= lines.length > 0
      yield lines
      lines = []
    }
    unfinishedLine.add(part.subarray(from))
    lineTimeout.countPart({
      bytes: part.length,
      hasLine: hasLine || lines.length > 0,
      unfinishedBytes: unfinishedLine.keptBytes,
    })
    yield lines
  }
  const last = unfinishedLine.isEmpty ? null : end()
  if (last) yield [last]
}

/**
 * A line whose end has not arrived yet. Its bytes are copied, because a slice would keep a whole part of the body in memory.
 */
class UnfinishedLine {
  readonly #maxBytes: number
  #keptBuffer = nothing
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  /** The bytes of the line in memory: the rest of a line that is too long is not kept. */
  get keptBytes(): number {
    return Math.min(this.#bytes, this.#maxBytes)
  }

  add(piece: Buffer): void {
    const before = this.#bytes
    this.#bytes += piece.length
    if (this.#bytes > this.#maxBytes) return
    if (this.#bytes > this.#keptBuffer.length) {
      // Doubles the buffer, so that a line in many pieces is not copied for each piece.
      const longer = Buffer.allocUnsafe(Math.max(this.#bytes, Math.min(2 * before, this.#maxBytes)))
      this.#keptBuffer.copy(longer, 0, 0, before)
      this.#keptBuffer = longer
    }
    piece.copy(this.#keptBuffer, before)
  }

  /** The whole line, or null if it is too long. */
  take(): Buffer | null {
    const line = this.#bytes > this.#maxBytes ? null : this.#keptBuffer.subarray(0, this.#bytes)
    this.#keptBuffer = nothing
    this.#bytes = 0
    return line
  }
}

type ReadPart = { bytes: number; hasLine: boolean; unfinishedBytes: number }

/** Measures for how long no line of the body has arrived: the time spent waiting, and the bytes that arrived. */
class LineTimeout {
  readonly #limits: LineLimits
  #waitedMs = 0
  #emptyBytes = 0
  #begunBytes = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  /** Waits for the next part; throws 400 if it arrives too late. */
  async wait<Part>(next: Promise<Part>): Promise<Part> {
    const begunAt = performance.now()
    try {
      return await withDeadline(begunAt + this.#limits.idleMs - this.#waitedMs, next)
    } catch (error) {
      throw error instanceof DeadlineExceeded ? noLineInTime() : bodyCutOff(error)
    } finally {
      this.#waitedMs += performance.now() - begunAt
    }
  }

  countPart({ bytes, hasLine, unfinishedBytes: begunBytes }: ReadPart): void {
    const { minBytes, maxEmptyBytes } = this.#limits
    if (hasLine || begunBytes - this.#begunBytes >= minBytes) {
      this.#waitedMs = 0
      this.#emptyBytes = 0
      this.#begunBytes = begunBytes
      return
    }
    this.#begunBytes = Math.min(this.#begunBytes, begunBytes)
    this.#emptyBytes += bytes
    if (this.#emptyBytes > maxEmptyBytes) throw noLineInTime()
  }
}

/** Whether the line contains only white space. */
function isBlank(text: Buffer): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

async function* readParts(body: AsyncIterable<Buffer>, lineTimeout: LineTimeout): AsyncGenerator<Buffer> {
  const parts = body[Symbol.asyncIterator]()
  try {
    while (true) {
      const next = await lineTimeout.wait(parts.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited, because it would wait for the part that did not arrive.
    void parts.return?.(undefined)
  }
}

function noLineInTime(): DomainError {
  return invalid('No line of the body arrived for too long, so the rest was not read.')
}

function bodyCutOff(error: unknown): DomainError {
  return invalid('The connection ended in the middle of the body.', error)
}

function invalid(reason: string, cause?: unknown): DomainError {
  return new DomainError(
    'INVALID_JSON',
    `${reason} The lines read so far are applied. Send the request again.`,
    null,
    cause,
  )
}
