import { expect, it, onTestFinished, vi } from 'vitest'
import { runImport } from '../../../src/console/components/import/run-import.ts'

/** Answers imports as the service does, if it refuses the lines of one subscriber. Returns the sent batches. */
function stubService({ refusedId }: { refusedId: string }): string[][] {
  const batches: string[][] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    const lines: string[] = JSON.parse(body).variables.input.text.split('\n')
    batches.push(lines)
    const errors = lines.flatMap((line, index) =>
      JSON.parse(line).subscriber_id === refusedId
        ? [{ line: index + 1, subscriberId: refusedId, message: 'refused' }]
        : [],
    )
    const counts = { created: 0, updated: lines.length - errors.length, unchanged: 0, failed: errors.length }
    return Response.json({ data: { importSubscribers: { lines: lines.length, ...counts, errors } } })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return batches
}

it('sends a row and its preceding line in one batch, and counts them once', async () => {
  const batches = stubService({ refusedId: 's2' })
  const rows = Array.from({ length: 1_000 }, (_, index) => {
    const line = { subscriber_id: `s${index + 1}` }
    const isPreceded = index === 1 || index >= 998
    return { number: index + 1, line, fault: null, ...(isPreceded && { precedingLine: { ...line, plan_id: null } }) }
  })

  const options = { organizationId: 'o', isDryRun: false, signal: new AbortController().signal, onProgress: () => {} }
  const tally = await runImport(rows, options)

  expect(batches.map((batch) => batch.length)).toEqual([999, 4])
  expect(batches[1]?.map((line) => JSON.parse(line))).toEqual([
    { subscriber_id: 's999', plan_id: null },
    { subscriber_id: 's999' },
    { subscriber_id: 's1000', plan_id: null },
    { subscriber_id: 's1000' },
  ])
  expect(tally).toMatchObject({
    lines: 1_000,
    failed: 1,
    errors: [{ line: 2, subscriberId: 's2', message: 'refused' }],
  })
})
