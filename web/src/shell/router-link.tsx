import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { isServerAddress } from '../paths.ts'

/** A plain anchor to the browser; a plain press on a page of ours travels by the router, without a new document. */
export function RouterLink({ href, onClick, ...rest }: ComponentProps<'a'>) {
  const router = useRouter()
  const ours = href?.startsWith('/') && !rest.target && !isServerAddress(href)

  function travel(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (!ours || modified || event.defaultPrevented) return
    event.preventDefault()
    void router.navigate({ href })
  }

  // The page's code comes while the finger is still on its way.
  function prepare() {
    if (ours && href) router.preloadRoute({ to: new URL(href, location.origin).pathname }).catch(() => undefined)
  }

  return <a {...rest} href={href} onClick={travel} onPointerEnter={prepare} onFocus={prepare} />
}
