/** Query options without retries, for preloading: the page shows the failure and retries itself. */
export function withoutRetry<T extends object>(query: T): T & { retry: false } {
  return { ...query, retry: false }
}

/**
 * Query options of a page whose route preloads them: what has just been found missing, or has failed, is shown at once, so that its heading gets the
 * focus.
 */
export function withoutRetryOnMount<T extends object>(query: T): T & { retryOnMount: false } {
  return { ...query, retryOnMount: false }
}
