/**
 * Options of a query that its view updates from the live feed. It is fetched when the view opens,
 * because closed views receive no updates, and not later, because a refetch could move rows.
 */
export const LIVE_QUERY = {
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
