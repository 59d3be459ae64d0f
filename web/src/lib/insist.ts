/** Loads what nobody waits for, however long the server is away: tries again after a pause. */
export async function insist<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      await new Promise((done) => setTimeout(done, 10_000))
    }
  }
}
