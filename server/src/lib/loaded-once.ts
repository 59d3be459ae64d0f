/**
 * A function that loads something at its first call and answers each later one with it. After a failure, as without a free file handle, the next
 * call loads again: a rejected promise that is kept would fail until the server is restarted.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error) => {
      loading = undefined
      throw error
    }))
}
