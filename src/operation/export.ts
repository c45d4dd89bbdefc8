import type { Actor } from '../access/actor.ts'
import type { Label } from '../access/roles.ts'
import { RightsWatch } from './rights-watch.ts'
import type { Services } from './services.ts'
import { takePlace } from './take-place.ts'

/** Some of the rows, as they are written; `last` is the place after which to go on, null at the end. */
export type ExportPage = { rows: readonly object[]; last: string | null }

/** How a list is read as a whole: in pages of a bounded size, each a read of its own. */
export type Exports<Call> = {
  /** The columns of a table, in their order. A row may have more. */
  columns: readonly string[]
  page(call: Call, after: string | undefined): Promise<ExportPage>
}

/** Given by an API as the input of a read, to get an `Export` instead of a page. */
export class Exporting {
  readonly raw: unknown

  constructor(raw: unknown) {
    this.raw = raw
  }
}

/** All pages; the first one is already read. `end` must be called once nobody wants more. */
export type Export = {
  pages: AsyncIterable<readonly object[]>
  /** Aborted once the caller's rights have ended, or the process stops. */
  signal: AbortSignal
  end(): void
}

/** An owner's exports, and all of a process: each holds a page in memory, and a connection only while it reads one. */
export const exportLimits = { ofOne: 2, ofAll: 100 }

const refusals = {
  ofOne: (held: number) =>
    `Your organization already has ${held} exports under way. Wait until one ends, then try again.`,
  ofAll: 'Other organizations have too many exports under way. Try again in a moment.',
}

type Asked = { operation: { labels: readonly Label[] }; actor: Actor }

/** Takes a place for the export and reads its first page, so that a refusal is an answer of its own. */
export async function openExport(
  services: Services,
  { operation, actor }: Asked,
  read: (after: string | undefined) => Promise<ExportPage>,
): Promise<Export> {
  const leave = takePlace(services.exportPlaces, actor.ownerId, refusals)
  const rights = new RightsWatch(services, actor, operation)
  const end = () => {
    rights.stop()
    leave()
  }
  const signal = AbortSignal.any([rights.signal, services.ending.signal])
  try {
    const first = await read(undefined)
    return { pages: pagesFrom(first, read, signal), signal, end }
  } catch (error) {
    end()
    throw error
  }
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
