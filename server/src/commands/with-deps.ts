import { buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { AppDeps } from '../deps.ts'
import { checkSecret, openAdapters } from '../main.ts'

/** Opens what a command needs, beside a running server or without one, and closes it afterwards. */
export async function withDeps(config: Config, work: (deps: AppDeps) => Promise<void>): Promise<void> {
  const { adapters, store } = await openAdapters(config)
  try {
    await checkSecret(adapters, store)
    const { app, deps } = await buildApp({ adapters, store, pages: false })
    try {
      await work(deps)
    } finally {
      await app.close()
    }
  } finally {
    await store.close()
  }
}
