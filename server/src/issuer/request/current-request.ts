import { AsyncLocalStorage } from 'node:async_hooks'
import type { ProviderRequest } from './provider-request.ts'

const requests = new AsyncLocalStorage<ProviderRequest>()

/** Runs `work` with `request` as the current request. */
export function runProviderRequest<T>(request: ProviderRequest, work: () => Promise<T>): Promise<T> {
  return requests.run(request, work)
}

/**
 * The request in which oidc-provider calls us. Only for functions that the library calls and whose arguments lead to no
 * request; they pass it on as an argument. Throws outside `runProviderRequest`.
 */
export function currentRequest(): ProviderRequest {
  const request = requests.getStore()
  if (!request) throw new Error('oidc-provider was called outside a ProviderRequest')
  return request
}

/** Adapts a function of ours to a hook of oidc-provider: its first argument is the current request. */
export function withRequest<A extends unknown[], R>(
  hook: (request: ProviderRequest, ...args: A) => R,
): (...args: A) => R {
  return (...args) => hook(currentRequest(), ...args)
}
