import type { Actor } from '../access/actor.ts'
import type { Label } from '../access/roles.ts'
import { RightsWatch } from './rights-watch.ts'
import type { Services } from './services.ts'
import { onceAborted, takeSlotUntil } from './slots.ts'

/**
 * A page of rows, as the export writes them. `last` is the position after which the next page begins; null on the last page.
 */
export type ExportPage = { rows: readonly object[]; last: string | null }

/** How to read a whole list: in pages of a bounded size, with one read for each page. */
export type Exports<Call> = {
  /** The columns of the exported table, in order. A row may have further fields. */
  columns: readonly string[]
  page(call: Call, after: string | undefined): Promise<ExportPage>
}

/**
 * Passed by an API as the input of a read, to get an `Export` instead of a page. `closed` is aborted when the client
 * disconnects.
 */
export class ExportRequest {
  readonly raw: unknown
  readonly closed: AbortSignal

  constructor(raw: unknown, closed: AbortSignal) {
    this.raw = raw
    this.closed = closed
  }
}

/** All pages; the first one is already read. */
export type Export = {
  pages: AsyncIterable<readonly object[]>
  /** Aborted once the caller's rights have ended, or the process stops. */
  signal: AbortSignal
}

/**
 * The maximum number of exports at once, of one owner and of all owners in a process. An export keeps a page in memory, and a
 * connection only while it reads a page.
 */
export const exportLimits = { ofOne: 2, ofAll: 100 }

const refusals = {
  ofOne: (held: number) =>
    `Your organization already has ${held} exports under way. Wait until one ends, then try again.`,
  ofAll: 'Other organizations have too many exports under way. Try again in a moment.',
}

type ExportContext = { operation: { labels: readonly Label[] }; actor: Actor; closed: AbortSignal }

/** Takes a slot for the export and reads its first page, so that a refusal is a normal error response. */
export async function openExport(
  services: Services,
  { operation, actor, closed }: ExportContext,
  read: (after: string | undefined) => Promise<ExportPage>,
): Promise<Export> {
  takeSlotUntil(closed, services.exportSlots, actor.ownerId, refusals)
  const rights = new RightsWatch(services, actor, operation)
  onceAborted(closed, () => rights.stop())
  const signal = AbortSignal.any([rights.signal, services.ending.signal])
  return { pages: pagesFrom(await read(undefined), read, signal), signal }
}

async function* pagesFrom(
  first: ExportPage,
  read: (after: string) => Promise<ExportPage>,
  signal: AbortSignal,
): AsyncGenerator<readonly object[]> {
  for (let page = first; ; page = await read(page.last)) {
    yield page.rows
    if (page.last === null) return
    signal.throwIfAborted()
  }
}
