import type { TransactionDeps } from '../../src/deps.ts'
import type { TestServer } from '../test-server.ts'
import { untilLockIsAwaited } from './until-lock-is-awaited.ts'

/**
 * Begins `change` while a transaction that has done `work` is not committed, and commits it once `change` waits for it, or has not waited. Resolves
 * like `change`.
 */
export async function whileUncommitted<Answer>(
  server: TestServer,
  work: (deps: TransactionDeps) => Promise<unknown>,
  change: () => Promise<Answer>,
): Promise<Answer> {
  const done = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const transaction = server.deps.transaction(async (deps) => {
    await work(deps)
    done.resolve()
    await release.promise
  })
  await Promise.race([done.promise, transaction])
  const changing = change()
  await Promise.race([untilLockIsAwaited(server), changing])
  release.resolve()
  await transaction
  return await changing
}
