import { z } from 'zod'
import { asMap, note } from '../../core/field-type.ts'
import { defineInput, UnreadableValue } from '../../core/input.ts'
import { type BulkLine, BulkLines, defineBulkWrite } from '../../operation/operation.ts'
import { maxLineBytes, readBulkLines } from '../../operation/read-bulk-lines.ts'
import { applyBatch, FailureBudget, type ImportCall } from './apply-batch.ts'
import { parseBatch, type ReadLine, toBatches } from './batches.ts'
import { fromLineItem, importLine, lineList, lineListSchema, maxListedLines } from './import-line.ts'
import { ImportTally, importAnswer, importProgressAnswer } from './import-result.ts'

const allowed = { lines: `at most ${maxListedLines} lines`, text: `a string of at most ${maxListedLines} lines` }

function linesField(form: 'lines' | 'text', schema: Record<string, unknown>) {
  return asMap(
    z
      .unknown()
      .refine((value) => value instanceof BulkLines)
      .transform((value) => value as BulkLines)
      .describe(allowed[form])
      .meta(schema)
      .optional(),
  )
}

/** For APIs without streams: lines as a list. `text` is the alternative. */
const lines = note(linesField('lines', lineListSchema), {
  meaning: 'The state that each subscriber should have. Send lines or text, not both.',
  wording: { schema: lineList, toOwn: readList },
})

/** In the REST API, the text is the body and may have any length. */
const text = note(linesField('text', { type: 'string', maxLength: maxListedLines * maxLineBytes }), {
  meaning: 'The same as the body of POST /org/subscribers/import: one JSON object per line.',
  wording: { schema: z.string().describe(allowed.text), toOwn: readText },
})

const isDryRun = note(z.boolean().optional().describe('true or false'), {
  meaning: 'Whether to change nothing, and only report what the import would do.',
})

const withEach = note(z.boolean().optional().describe('true or false'), {
  meaning:
    "Whether to add `each` to the details of the import's audit entry: the values that every changed line set, if they are the same in all lines.",
})

type BulkImportCall = ImportCall & {
  signal: AbortSignal
  inSlot<Result>(work: () => Promise<Result>): Promise<Result>
}

/** How often the progress is reported. */
const reportMs = 1_000

export const importSubscribers = defineBulkWrite({
  name: 'importSubscribers',
  summary: 'Create and change subscribers with their plans and overrides, one per line.',
  method: 'POST',
  route: '/org/subscribers/import',
  service: 'api',
  labels: ['subscribers:write'],
  input: defineInput(
    { lines, text, dry_run: isDryRun, with_each: withEach },
    {
      unknown: 'ignore',
      term: 'query parameter',
      rules({ lines, text }, report) {
        if (lines === undefined && text === undefined) report('lines', 'lines or text is required.')
        if (lines !== undefined && text !== undefined) report('text', 'Send lines or text, not both.')
      },
    },
  ),
  line: importLine,
  answer: importAnswer,
  progress: importProgressAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ input, ...call }) {
    const { dry_run: isDryRun = false, with_each: withEach = false } = input
    const lines = (input.lines ?? input.text) as BulkLines
    const tally = new ImportTally()
    const timer = setInterval(() => lines.report(importProgressAnswer.toBody(tally.counts) as object), reportMs)
    try {
      await applyAll({ ...call, isDryRun }, lines, tally)
    } finally {
      clearInterval(timer)
    }
    return { result: tally.result, details: isDryRun ? null : { ...tally.counts, ...(withEach && tally.each) } }
  },
})

/** Applies batch after batch, each in a slot. While a batch is applied, the next one is read and parsed. */
async function applyAll(call: BulkImportCall, { lists }: BulkLines, tally: ImportTally): Promise<void> {
  const { organizationId, signal, inSlot } = call
  const failures = new FailureBudget()
  const apply = async (lines: readonly BulkLine[], before: Promise<void>) => {
    const parsed = await parseBatch(lines, organizationId)
    await before
    for (const batch of parsed) {
      signal.throwIfAborted()
      const results = await applyBatch(call, batch, failures)
      for (const [index, outcome] of results.entries()) tally.add(batch[index] as ReadLine, outcome)
    }
  }
  const batches = toBatches(lists, organizationId)
  const aborted = rejectionOf(signal)
  let [before, applying] = [Promise.resolve(), Promise.resolve()]
  try {
    while (true) {
      const reading = batches.next()
      // Throws a refusal of the whole import at once, even while the client sends nothing.
      const { value: lines, done } = await Promise.race([reading, applying.then(() => reading), aborted])
      if (done) break
      // At most two batches are parsed: the one being applied, and the next.
      await before
      const previous = applying
      before = previous
      applying = inSlot(() => apply(lines, previous))
      applying.catch(() => {})
    }
    await applying
  } finally {
    await Promise.allSettled([before, applying])
    // Not awaited, because `return` waits for the lines that are being read.
    void batches.return(undefined)
  }
}

/** Returns a promise that rejects with the signal's reason when the signal aborts. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  const aborted = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true })
  aborted.promise.catch(() => {})
  return aborted.promise
}

/** Reads lines that match the schema of the list. */
function readList(list: unknown): BulkLines | UnreadableValue {
  const items = list as Parameters<typeof fromLineItem>[0][]
  if (items.length > maxListedLines) return new UnreadableValue(`lines must be at most ${maxListedLines}.`)
  const lines = items.map((item, index) => ({ number: index + 1, bytes: 128, read: () => fromLineItem(item) }))
  return new BulkLines(yieldOnce(lines))
}

function readText(value: unknown): BulkLines | UnreadableValue {
  const text = value as string
  if (!text.isWellFormed()) return new UnreadableValue('text must not contain unpaired surrogates.')
  const isLong = text.replace(/\n$/, '').split('\n', maxListedLines + 1).length > maxListedLines
  if (isLong) return new UnreadableValue(`text must be ${allowed.text}.`)
  return new BulkLines(readBulkLines(yieldOnce(Buffer.from(text))))
}

async function* yieldOnce<Item>(item: Item): AsyncGenerator<Item> {
  yield item
}
