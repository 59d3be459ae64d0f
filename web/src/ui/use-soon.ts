import { useEffect } from 'react'

/** Milliseconds after which the first page has settled. */
const SETTLED = 1500

/**
 * Loads code that a click will need, some time after the page has appeared, so that the click does not wait for it. A failed
 * load is repeated by the click.
 */
export function useSoon(load: (() => Promise<unknown>) | undefined): void {
  useEffect(() => {
    if (!load) return
    const timer = setTimeout(() => load().catch(() => {}), SETTLED)
    return () => clearTimeout(timer)
  }, [load])
}
