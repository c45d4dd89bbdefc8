import { QueryClient } from '@tanstack/react-query'
import { NetworkError } from './errors.ts'

/** A refusal is final; only a request without an answer is sent again. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return error instanceof NetworkError && failures < 2
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // "always": the server may be on this very machine, whatever the browser believes about the network.
    queries: { networkMode: 'always', retry: isWorthRetrying, staleTime: 5_000 },
    mutations: { networkMode: 'always', retry: false },
  },
})
