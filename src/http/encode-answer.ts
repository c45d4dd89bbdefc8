import { LongList } from '../core/answer.ts'
import { isPlainObject } from '../core/json.ts'
import { StoredJson, stringifyAnswerParts } from '../core/stored-json.ts'
import { pauseAfterSlices } from '../fairness/loop-slices.ts'

/** Shorter answers are encoded at once. */
const longLength = 262_144
/** The maximum weight of an answer that is written as JSON at once: 2,000 numbers, which take a fraction of a millisecond. */
const maxWholeWeight = 2_000
const charactersPerWeight = 64

/** Writes the answer as JSON. A long answer (up to 16 MB) is written in slices, so that other requests run in between. */
export async function encodeAnswer(answer: unknown, owner: string): Promise<string | Buffer> {
  const pause = pauseAfterSlices(owner)
  const parts = isSmall(answer) ? stringifyAnswerParts(answer) : await partsInSlices(answer, pause)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length < longLength) return parts.join('')
  // Uses one buffer from the beginning, because joining many buffers at the end would take as long as all slices together.
  const encoded = Buffer.allocUnsafeSlow(await lengthInBytes(parts, pause))
  let offset = 0
  for (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const end = endOfPiece(part, start)
      offset += encoded.write(part.slice(start, end), offset)
      start = end
      await pause()
    }
  }
  return encoded
}

type Pause = () => Promise<void>

async function lengthInBytes(parts: readonly string[], pause: Pause): Promise<number> {
  let bytes = 0
  for (const part of parts) {
    bytes += Buffer.byteLength(part)
    await pause()
  }
  return bytes
}

/** The end of the piece that begins at `start`. Never splits a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + longLength)
  return text.codePointAt(end - 1) !== text.charCodeAt(end - 1) ? end + 1 : end
}

/** Returns the parts that `stringifyAnswerParts` would return, or shorter parts. Pauses while it writes them. */
async function partsInSlices(value: unknown, pause: Pause): Promise<string[]> {
  const parts: string[] = []
  await write(value, parts, pause)
  return parts
}

async function write(value: unknown, parts: string[], pause: Pause): Promise<void> {
  if (typeof value !== 'object' || value === null || isSmall(value)) parts.push(...stringifyAnswerParts(value))
  else if (Array.isArray(value) || value instanceof LongList)
    await writeMembers(value.entries(), parts, { pause, begin: () => [] })
  else await writeMembers(Object.entries(value), parts, { pause, begin: () => Object.create(null) })
}

type Members = Iterable<readonly [string | number, unknown]>
type Group = unknown[] | Record<string, unknown>

/** Writes a list or an object. Consecutive small members are written together. */
async function writeMembers(
  members: Members,
  parts: string[],
  { pause, begin }: { pause: Pause; begin: () => Group },
): Promise<void> {
  let group = begin()
  let room = maxWholeWeight
  let isFirst = true
  const [opening, closing] = Array.isArray(group) ? '[]' : '{}'

  async function flush(): Promise<void> {
    const [first = '', ...others] = stringifyAnswerParts(group)
    group = begin()
    room = maxWholeWeight
    // The group is empty, or all of its fields are undefined, which JSON omits.
    if (others.length === 0 && first.length === 2) return
    separate()
    parts.push(first.slice(1), ...others)
    parts.push((parts.pop() as string).slice(0, -1))
    await pause()
  }

  function separate(): void {
    if (!isFirst) parts.push(',')
    isFirst = false
  }

  parts.push(opening as string)
  for (const [name, value] of members) {
    let left = remainingRoom(value, room)
    if (left < 0) {
      await flush()
      left = remainingRoom(value, room)
    }
    if (left >= 0) {
      if (Array.isArray(group)) group.push(value)
      else group[name] = value
      room = left
      continue
    }
    separate()
    if (opening === '{') parts.push(`${JSON.stringify(name)}:`)
    await write(value, parts, pause)
  }
  await flush()
  parts.push(closing as string)
}

function isSmall(value: unknown): boolean {
  return remainingRoom(value, maxWholeWeight) >= 0
}

/**
 * The room that remains after this value; negative if the value does not fit. Stops as soon as the value does not fit, so that
 * a large value does not take long.
 */
function remainingRoom(value: unknown, room: number): number {
  if (value instanceof LongList) return -1
  let left = room - 1
  if (typeof value === 'string') return left - value.length / charactersPerWeight
  if (!Array.isArray(value) && (!isPlainObject(value) || value instanceof StoredJson || value instanceof Date))
    return left
  for (const name in value) {
    left = remainingRoom(value[name as never], left)
    if (left < 0) return left
  }
  return left
}
