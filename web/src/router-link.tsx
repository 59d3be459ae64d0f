import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { isServerAddress } from './paths.ts'

/** An anchor that travels without loading a document, where the page at the other end is one of ours. */
export function RouterLink({ href = '', onClick, ...props }: ComponentProps<'a'>) {
  const router = useRouter()
  const ours = href.startsWith('/') && !isServerAddress(href) && (!props.target || props.target === '_self')

  function travel(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!ours || !plain || event.defaultPrevented) return
    event.preventDefault()
    void router.navigate({ href })
  }
  return <a {...props} href={href} onClick={travel} />
}
