import { type ComponentProps, type ComponentType, createElement, use } from 'react'

/**
 * A part of the pages that loads when it is needed, and is asked for anew if it could not be had; the router's own would
 * reload the page, also into nothing when there is no connection. Unlike one of React's `lazy` it is there in the first
 * render once it has come, as what the build has rendered must be.
 */
export function part<T extends Record<N, unknown>, N extends keyof T>(load: () => Promise<T>, name: N) {
  type Props = T[N] extends ComponentType<infer P> ? P : ComponentProps<ComponentType<object>>
  let come: ComponentType<object> | undefined
  let failure: unknown
  let loading: Promise<void> | undefined
  async function ask() {
    failure = undefined
    try {
      come = (await load())[name] as ComponentType<object>
    } catch (error) {
      failure = error
      loading = undefined
    }
  }
  function preload() {
    loading ??= ask()
    return loading
  }
  function Part(props: Props) {
    if (failure) throw failure
    if (!come) use(preload())
    return come && createElement(come, props as object)
  }
  return Object.assign(Part, { preload })
}
