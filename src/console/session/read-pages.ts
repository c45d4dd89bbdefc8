import { isServerError } from '../api/errors.ts'
import type { Answer, TypedDocument } from '../api/typed-document.ts'
import { request } from './request.ts'

export type PageOf<Node> = { nodes: Node[]; pageInfo: { endCursor: string | null; hasNextPage: boolean } }

type PageVariables = { after?: string | null | undefined }

/** A list that is read page by page; the document takes the cursor as `$after`. */
export type PagedRead<Result, Variables extends PageVariables, Node> = {
  document: TypedDocument<Result, Variables>
  variables: Omit<Variables, 'after'>
  find(answer: Answer<Result>): PageOf<Node>
}

type Options = { organizationId: string; signal: AbortSignal }

/** Yields the rows of each page, until the list ends or `signal` aborts. Waits when the server limits the rate of reads. */
export async function* readPages<Result, Variables extends PageVariables, Node>(
  { document, variables, find }: PagedRead<Result, Variables, Node>,
  { organizationId, signal }: Options,
): AsyncGenerator<Node[]> {
  let after: string | null = null
  while (!signal.aborted) {
    try {
      const { nodes, pageInfo } = find(
        await request(document, { ...variables, after } as Variables, { organizationId }),
      )
      yield nodes
      if (!pageInfo.hasNextPage) return
      after = pageInfo.endCursor
    } catch (error) {
      if (!isServerError(error, 'RATE_LIMITED')) throw error
      const waitSeconds = Number(error.details?.retry_after_seconds ?? 1)
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000))
    }
  }
}
