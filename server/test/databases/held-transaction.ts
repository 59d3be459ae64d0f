import type { TransactionDeps } from '../../src/deps.ts'
import type { TestServer } from '../test-server.ts'

/** Makes a call while a transaction has written and not committed; resolves with its answer. A call that waits for the transaction sees it. */
export async function duringTransaction<T>(
  server: TestServer,
  write: (deps: TransactionDeps) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const written = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const transaction = server.deps.transaction(async (deps) => {
    await write(deps)
    written.resolve()
    await ready.promise
  })
  await Promise.race([written.promise, transaction])
  const answer = call()
  // Long enough for the call to read what it decides by, if it does not wait.
  await new Promise((done) => setTimeout(done, 300))
  ready.resolve()
  await transaction
  return await answer
}
