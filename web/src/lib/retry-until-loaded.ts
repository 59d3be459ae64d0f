/** Loads a module in the background and retries every 10 seconds. */
export async function retryUntilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      await new Promise((done) => setTimeout(done, 10_000))
    }
  }
}
