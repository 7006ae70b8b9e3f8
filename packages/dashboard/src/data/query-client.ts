// data/query-client.ts: the cache of what was read. It never retries by itself: the next refresh is the
// retry, and a failure must be visible at once.
import { QueryClient } from '@tanstack/react-query'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      // The service may be on this machine, where being offline means nothing.
      networkMode: 'always',
      refetchIntervalInBackground: false,
      staleTime: 2_000,
      gcTime: 120_000,
    },
  },
})
