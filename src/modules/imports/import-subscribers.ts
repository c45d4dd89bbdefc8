import { z } from 'zod'
import { asMap, note } from '../../core/field-type.ts'
import { defineInput, Unread } from '../../core/input.ts'
import { BulkLines, defineBulkWrite } from '../../operation/operation.ts'
import { applyBatch, type ImportCall, Patience } from './apply-batch.ts'
import { type ReadLine, toBatches } from './batches.ts'
import { fromLineItem, importLine, lineList, lineListSchema, maxListedLines } from './import-line.ts'
import { ImportTally, importAnswer, importProgressAnswer } from './import-result.ts'

/** At doors without streams, lines are a list. */
const lines = note(
  asMap(
    z
      .unknown()
      .refine((given) => given instanceof BulkLines)
      .transform((given) => given as BulkLines)
      .describe(`at most ${maxListedLines} lines`)
      .meta(lineListSchema),
  ),
  { meaning: 'What each subscriber is to have.', wording: { schema: lineList, toOwn: toBulkLines } },
)

const isDryRun = note(z.boolean().optional().describe('true or false'), {
  meaning: 'Changes nothing, and answers what would become of the lines.',
})

/** How often the progress is reported. */
const reportMs = 1_000

export const importSubscribers = defineBulkWrite({
  name: 'importSubscribers',
  summary: 'Create and change subscribers with their plans and overrides, a line each.',
  method: 'POST',
  route: '/org/subscribers/import',
  service: 'api',
  labels: ['subscribers:write'],
  input: defineInput({ lines, dry_run: isDryRun }, { unknown: 'ignore', noun: 'query parameter' }),
  line: importLine,
  answer: importAnswer,
  progress: importProgressAnswer,
  refusals: ['RATE_LIMITED'],
  async run({ input, ...call }) {
    const { lines, dry_run: isDryRun = false } = input
    const tally = new ImportTally()
    const timer = setInterval(() => lines.report(importProgressAnswer.toBody(tally.counts) as object), reportMs)
    try {
      await applyAll({ ...call, isDryRun }, lines, tally)
    } finally {
      clearInterval(timer)
    }
    return { result: tally.result, details: isDryRun ? null : { ...tally.counts } }
  },
})

/** Batch after batch; the next one is read while one is applied. */
async function applyAll(call: ImportCall, { lists }: BulkLines, tally: ImportTally): Promise<void> {
  const patience = new Patience()
  const apply = async (batch: readonly ReadLine[]) => {
    const results = await applyBatch(call, batch, patience)
    for (const [place, result] of results.entries()) tally.add(batch[place] as ReadLine, result)
  }
  const batches = toBatches(lists, call.organizationId)
  let applying = Promise.resolve()
  try {
    while (true) {
      const reading = batches.next()
      // A refusal of the whole import is answered at once, also while the client sends nothing.
      const { value: batch, done } = await Promise.race([reading, applying.then(() => reading)])
      if (done) break
      await applying
      applying = apply(batch)
    }
    await applying
  } finally {
    await applying.catch(() => {})
    // Not awaited: it waits for the lines that are being read.
    void batches.return(undefined)
  }
}

/** Gets lines that match the schema of the list. */
function toBulkLines(list: unknown): BulkLines | Unread {
  const items = list as Parameters<typeof fromLineItem>[0][]
  if (items.length > maxListedLines) return new Unread(`lines must be at most ${maxListedLines}.`)
  const given = items.map((item, index) => ({ number: index + 1, bytes: 256, read: () => fromLineItem(item) }))
  return new BulkLines(listOnce(given))
}

async function* listOnce<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items
}
