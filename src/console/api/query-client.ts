import { QueryClient } from '@tanstack/react-query'
import { isServerError, NetworkError } from './errors.ts'

/** A refusal is final. What got no answer, or found the server busy, is read again. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 2 && (error instanceof NetworkError || isServerError(error, 'SERVICE_UNAVAILABLE'))
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // "always": the server may be on this very machine, whatever the browser believes about the network.
    queries: { networkMode: 'always', retry: isWorthRetrying, staleTime: 5_000 },
    mutations: { networkMode: 'always', retry: false },
  },
})
