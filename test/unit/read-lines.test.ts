import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readLines, type TextLine } from '../../src/http/read-lines.ts'

const limits = { maxLineBytes: 100, idleMs: 60_000, minBytes: 20, maxEmptyBytes: 1_000 }

/** A body that arrives in these parts. */
async function* bodyOf(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

/** Sends these parts, and then nothing more. */
async function* stalledBodyOf(...parts: string[]): AsyncGenerator<Buffer> {
  yield* bodyOf(...parts)
  await new Promise(() => {})
}

async function read(body: AsyncIterable<Buffer>, changed: Partial<typeof limits> = {}): Promise<TextLine[][]> {
  const lists: TextLine[][] = []
  for await (const list of readLines(body, { ...limits, ...changed })) lists.push(list)
  return lists
}

const linesOf = async (body: AsyncIterable<Buffer>) =>
  (await read(body)).flat().map(({ number, text }) => [number, text?.toString() ?? null])

const noLinesError = expect.objectContaining({
  code: 'INVALID_JSON',
  message: expect.stringMatching(/^No line of the body arrived/),
})

describe('the lines read from a body', () => {
  it('are the same however the body is split into parts', async () => {
    const text = `\uFEFF \n{"a":"é"}\r\n\n${'x'.repeat(101)}\n${'y'.repeat(100)}\n\t\nlast`
    const bytes = Buffer.from(text)
    const expected = [
      [2, '{"a":"é"}\r'],
      [4, null],
      [5, 'y'.repeat(100)],
      [7, 'last'],
    ]

    for (const size of [1, 2, 3, 7, 64, 1_000]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const body = (async function* () {
        yield* parts
      })()
      expect(await linesOf(body), `${size}`).toEqual(expected)
    }
  })

  it('come in short lists, so that their reader may pause between them, even if all lines are empty', async () => {
    const lists = await read(bodyOf('\n'.repeat(10_000)), { maxEmptyBytes: 10_000 })

    expect(lists.length).toBeGreaterThan(30)
    expect(lists.flat()).toEqual([])
  })

  it('do not keep the received bytes that contained them in memory', async () => {
    const part = Buffer.alloc(65_536, 'a{"b":1}\n')
    const lines = (
      await read(
        (async function* () {
          yield part
        })(),
      )
    ).flat()

    for (const { text } of lines) expect(text?.buffer).not.toBe(part.buffer)
  })
})

describe('reading a body', () => {
  it('fails once the waits for the next line add up to the time limit', async () => {
    await expect(read(stalledBodyOf('{"a":1}\n{"b'), { idleMs: 20 })).rejects.toEqual(noLinesError)
    const trickle = (async function* () {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        yield Buffer.from('x')
      }
    })()
    await expect(read(trickle, { idleMs: 50 })).rejects.toEqual(noLinesError)
  })

  it('may take long if lines keep arriving in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const slow = (async function* () {
      for (let round = 0; round < 20; round++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        yield Buffer.from(round % 2 === 0 ? `{"a":"${'x'.repeat(20)}` : '"}\n')
      }
    })()

    const reading = read(slow, { idleMs: 200 })
    await vi.advanceTimersByTimeAsync(20 * 20)
    expect((await reading).flat()).toHaveLength(10)
  })

  it.each([
    ['line ends', '\n'],
    ['blanks', ' '],
    ['blank lines', ' \r\n'],
    ['one line without an end', 'x'],
  ])('fails after too many bytes of %s', async (_, text) => {
    const parts = Array.from({ length: 40 }, () => text.repeat(100))

    await expect(read(bodyOf('{"a":1}\n', ...parts))).rejects.toEqual(noLinesError)
    expect(
      (await read(bodyOf(...parts.slice(0, 3), '\n{"a":1}\n', ...parts.slice(0, 3)))).flat().length,
    ).toBeGreaterThan(0)
  })

  it('fails when the connection is lost', async () => {
    const broken = (async function* () {
      yield Buffer.from('{"a":1}\n')
      throw new Error('reset')
    })()

    await expect(read(broken)).rejects.toEqual(
      expect.objectContaining({ code: 'INVALID_JSON', message: expect.stringMatching(/connection ended/) }),
    )
  })
})
