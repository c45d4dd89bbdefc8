import { EntitlementHistoryDocument } from '../../generated/history.ts'
import { readPages } from '../../session/read-pages.ts'
import type { Change } from './changes.ts'

type Options = { organizationId: string; signal: AbortSignal; since?: Date | null }

/** Loads the changes, newest first, back to `since` or to the subscriber's creation. The last page may go further back. */
export async function readHistory(
  subscriberId: string,
  { organizationId, signal, since = null }: Options,
): Promise<{ changes: Change[]; hasMore: boolean }> {
  const changes: Change[] = []
  const pages = readPages(
    {
      document: EntitlementHistoryDocument,
      variables: { subscriberId, first: 100 },
      find: ({ subscriber }) => subscriber.history ?? { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } },
    },
    { organizationId, signal },
  )
  for await (const nodes of pages) {
    changes.push(...nodes)
    const oldest = nodes.at(-1)
    if (since && oldest && new Date(oldest.at) < since) return { changes, hasMore: true }
  }
  return { changes, hasMore: false }
}
