import { useRouter } from '@tanstack/react-router'
import { isServerAddress } from '@vrata/contract/page-addresses'
import type { ComponentProps, MouseEvent } from 'react'

/** An anchor that navigates by the router for plain clicks on internal addresses. */
export function RouterLink({ href, onClick, ...rest }: ComponentProps<'a'>) {
  const router = useRouter()
  const internal = href?.startsWith('/') && !rest.target && !isServerAddress(href)

  function navigate(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (!internal || modified || event.defaultPrevented) return
    event.preventDefault()
    void router.navigate({ href })
  }

  // Loads the page's code on hover and focus.
  function preload() {
    if (internal && href) router.preloadRoute({ to: new URL(href, location.origin).pathname }).catch(() => undefined)
  }

  return <a {...rest} href={href} onClick={navigate} onPointerEnter={preload} onFocus={preload} />
}
