import { type ComponentProps, type ComponentType, createElement, use } from 'react'

/**
 * A component that loads on demand. A load that has failed ahead of time is repeated when the component is rendered, and one
 * that fails then is thrown; the router's own lazy component would reload the page. Unlike React's `lazy`, a loaded component
 * renders synchronously, which hydration requires. The lazy parts of a component that hydration needs load with it, when it
 * names them by a `preload` of its own.
 */
export function lazyComponent<T extends Record<N, unknown>, N extends keyof T>(load: () => Promise<T>, name: N) {
  type Props = T[N] extends ComponentType<infer P> ? P : ComponentProps<ComponentType<object>>
  let loaded: (ComponentType<object> & { preload?(): Promise<void> }) | undefined
  let failure: unknown
  let loading: Promise<void> | undefined
  /** The last load was started by a render. */
  let rendering = false
  async function start() {
    failure = undefined
    try {
      loaded = (await load())[name] as typeof loaded
      await loaded?.preload?.()
    } catch (error) {
      failure = error
      loading = undefined
    }
  }
  function request(byRender: boolean) {
    if (loading) return loading
    rendering = byRender
    loading = start()
    return loading
  }
  const preload = () => request(false)
  function LazyComponent(props: Props) {
    if (failure && rendering) throw failure
    if (!loaded) use(request(true))
    return loaded && createElement(loaded, props as object)
  }
  return Object.assign(LazyComponent, { preload })
}
