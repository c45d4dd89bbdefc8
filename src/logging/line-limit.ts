/** A line as it is passed to the logger. */
type Line = { message: string; fields: Readonly<Record<string, unknown>> }

type LineLimitOptions = {
  /** Called at the end of a window, for each message with lines that were left out. */
  onLeftOut(leftOut: LeftOutLines): void
}

/** How many lines with a message (`line`) were left out, of how many kinds, and the fields of the most frequent kind. */
type LeftOutLines = { line: string; leftOut: number; kinds: number; most: Record<string, unknown> }

type Kind = { written: number; leftOut: number; fields: Record<string, unknown> }
type MessageCount = { written: number; leftOut: number; kinds: Map<string, Kind> }

const minuteMs = 60_000
/** The maximum number of lines of one kind in a window. */
const maxPerKind = 5
/** The maximum number of lines with the same message in a window, however much their fields differ. */
const maxPerMessage = 50

/** The fields that distinguish kinds of lines with the same message. */
const distinguishingFields = ['operation', 'api', 'code', 'organizationId', 'limit', 'reason', 'line'] as const

/** Limits repetitions: in each window of a minute, admits a few lines of each kind, then reports how many were left out. */
export class LineLimit {
  readonly #options: LineLimitOptions
  #messages = new Map<string, MessageCount>()
  #timer: NodeJS.Timeout | null = null

  constructor(options: LineLimitOptions) {
    this.#options = options
  }

  /** Whether the line may be written. */
  admits({ message, fields }: Line): boolean {
    this.#timer ??= setTimeout(() => this.end(), minuteMs).unref()
    const messageCount = this.#messages.get(message) ?? { written: 0, leftOut: 0, kinds: new Map() }
    this.#messages.set(message, messageCount)
    const kind = kindIn(messageCount, fields)
    if (kind && kind.written < maxPerKind && messageCount.written < maxPerMessage) {
      kind.written += 1
      messageCount.written += 1
      return true
    }
    messageCount.leftOut += 1
    if (kind) kind.leftOut += 1
    return false
  }

  /** Ends the window. */
  end(): void {
    const messages = this.#messages
    this.#messages = new Map()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    for (const [line, { leftOut, kinds }] of messages) {
      if (leftOut === 0) continue
      const [most] = [...kinds.values()].sort((one, other) => other.leftOut - one.leftOut)
      this.#options.onLeftOut({ line, leftOut, kinds: kinds.size, most: { ...most?.fields } })
    }
  }
}

/** The line's kind; undefined for a new kind if no more lines with the message may be written. */
function kindIn({ kinds, written }: MessageCount, fields: Line['fields']): Kind | undefined {
  const { err } = fields
  const distinguishing: Record<string, unknown> = {}
  for (const name of distinguishingFields) if (fields[name] !== undefined) distinguishing[name] = fields[name]
  if (err instanceof Error) distinguishing.error = err.message
  const key = JSON.stringify(distinguishing)
  const known = kinds.get(key)
  if (known !== undefined || written >= maxPerMessage) return known
  const kind = { written: 0, leftOut: 0, fields: distinguishing }
  kinds.set(key, kind)
  return kind
}
