const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** The id of a request: the incoming one where it is acceptable, else a new one [A2]. */
export const readRequestId = (incoming: string | null, make: () => string): string =>
  incoming !== null && acceptable.test(incoming) ? incoming : make()
