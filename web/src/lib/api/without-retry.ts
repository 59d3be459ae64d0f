/** Query options without retries, for preloading: the page shows the failure and retries itself. */
export function withoutRetry<T extends object>(query: T): T & { retry: false } {
  return { ...query, retry: false }
}
