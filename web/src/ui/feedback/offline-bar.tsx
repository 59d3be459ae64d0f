import { useSyncExternalStore } from 'react'
import { OfflineIcon } from '../icons/icons.tsx'

/**
 * Bar shown without network or with a lost connection. The live region stays mounted, so that changes are announced. It is the
 * `peer` of the elements below it.
 */
export function OfflineBar({ offline, lost }: { offline: string; lost?: string | false }) {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className="peer sticky top-0 z-20 empty:hidden">
      {(!online || lost) && (
        <p className="flex min-h-9 items-center justify-center gap-2 bg-accent-soft px-4 py-1.5 text-small font-semibold text-on-accent">
          <OfflineIcon size={18} />
          {online ? lost : offline}
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
