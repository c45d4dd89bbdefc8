import { keepPreviousData, queryOptions, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import type { Answer, TypedDocument } from '../api/typed-document.ts'
import { useOrganizationId } from './organization-id.ts'
import type { PageOf } from './read-pages.ts'
import { request } from './request.ts'

/** The organization that a cached read belongs to; `null` for the person's own data. */
type Owner = string | null

const keyOf = (owner: Owner) => owner ?? 'person'

/** Reads further data that is shown together with the answer, so that nothing moves when that data arrives. */
type ReadFurtherData<Result> = (answer: Answer<Result>) => Promise<unknown>

/** The options of React Query for a read. Also used outside of components, such as in route guards. */
export function readOptions<Result, Variables>(
  owner: Owner,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  complete?: ReadFurtherData<Result>,
) {
  return queryOptions({
    queryKey: [keyOf(owner), document.name, variables] as const,
    queryFn: async ({ signal }): Promise<Answer<Result>> => {
      const answer = await request(document, variables, { organizationId: owner, signal })
      await complete?.(answer)
      return answer
    },
  })
}

/** Milliseconds between reads while the page is visible. A function may choose another interval after a failure. */
type Interval = number | false | ((query: { state: { error: Error | null } }) => number)

export type ReadSettings<Result> = {
  enabled?: boolean
  refetchInterval?: Interval
  keepPrevious?: boolean
  /** How long the answer is kept while no page shows it. */
  gcTime?: number
  complete?: ReadFurtherData<Result>
}

/** Reads from the organization that the page's address names. */
export function useOrganizationQuery<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  { keepPrevious, complete, ...settings }: ReadSettings<Result> = {},
): UseQueryResult<Answer<Result>> {
  const owner = useOrganizationId()
  return useQuery({
    ...readOptions(owner, document, variables, complete),
    ...settings,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

/** Reads data of the signed-in person. */
export function usePersonQuery<Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
): UseQueryResult<Answer<Result>> {
  return useQuery(readOptions(null, document, variables))
}

type Write = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  variables: Variables,
) => Promise<Answer<Result>>

/**
 * Writes in the organization that the page's address names, then reads all its shown data again. Also works for Undo, which
 * people often click after the component that made the write was removed.
 */
export function useOrganizationWrite(): Write {
  const organizationId = useOrganizationId()
  return (document, variables) => write(organizationId, document, variables)
}

/** Writes data of the signed-in person. */
export function usePersonWrite(): Write {
  return (document, variables) => write(null, document, variables)
}

async function write<Result, Variables>(
  owner: Owner,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
): Promise<Answer<Result>> {
  const answer = await request(document, variables, { organizationId: owner })
  await refresh(owner)
  return answer
}

/** Reads again all shown data of an organization, or of the person. Reads on demand are not repeated. */
export function refresh(owner: Owner): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [keyOf(owner)] })
}

/** Picks the connection from an answer; null if the role may not read it. */
type FindConnection<Result, Node> = (answer: Answer<Result>) => PageOf<Node> | null

export type Pages<Node> = {
  nodes: Node[]
  query: { isPending: boolean; error: Error | null; refetch(): Promise<unknown> }
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
}

/** Reads a connection page by page. `find` picks it from the answer; the document takes the cursor as `$after`. */
export function useOrganizationPages<Result, Variables extends { after?: string | null | undefined }, Node>(
  document: TypedDocument<Result, Variables>,
  variables: Omit<Variables, 'after'>,
  find: FindConnection<Result, Node>,
  settings: ReadSettings<Result> = {},
): Pages<Node> {
  return usePages(useOrganizationId(), document, variables, find, settings)
}

export function usePersonPages<Result, Variables extends { after?: string | null | undefined }, Node>(
  document: TypedDocument<Result, Variables>,
  variables: Omit<Variables, 'after'>,
  find: FindConnection<Result, Node>,
): Pages<Node> {
  return usePages(null, document, variables, find, {})
}

function usePages<Result, Variables extends { after?: string | null | undefined }, Node>(
  owner: Owner,
  document: TypedDocument<Result, Variables>,
  variables: Omit<Variables, 'after'>,
  find: FindConnection<Result, Node>,
  { keepPrevious, complete, ...settings }: ReadSettings<Result>,
): Pages<Node> {
  const query = useInfiniteQuery({
    queryKey: [keyOf(owner), document.name, variables, 'pages'] as const,
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...variables, after: pageParam } as Variables
      const answer = await request(document, page, { organizationId: owner, signal })
      await complete?.(answer)
      return answer
    },
    initialPageParam: null as string | null,
    getNextPageParam: (answer) => {
      const pageInfo = find(answer)?.pageInfo
      return pageInfo?.hasNextPage ? pageInfo.endCursor : null
    },
    ...settings,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
  return {
    nodes: query.data?.pages.flatMap((answer) => find(answer)?.nodes ?? []) ?? [],
    query,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  }
}
