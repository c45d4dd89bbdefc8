import { QueryClient } from '@tanstack/react-query'
import { isServerError, NetworkError } from './errors.ts'

/** Whether to repeat a read: after no answer, or the answer of an overloaded server, twice at most. Refusals are final. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && (error instanceof NetworkError || isServerError(error, 'SERVICE_UNAVAILABLE'))
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // "always": the server may run on this machine, so it may be reachable although the browser is offline.
    queries: { networkMode: 'always', retry: isWorthRetrying, staleTime: 5_000 },
    mutations: { networkMode: 'always', retry: false },
  },
})
