/**
 * For a query whose view keeps it up to date from the feed: asked when the view opens, for nobody
 * has kept it meanwhile, and not in between, where an answer would move rows under the reader.
 */
export const KEPT_LIVE = {
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
