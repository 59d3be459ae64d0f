import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { type Toast, toasts } from './toast.ts'
import type { ToastCardProps } from './toast-card.tsx'

const NONE: readonly Toast[] = []

/**
 * Live region for toasts. It is always mounted, because the first message would not be announced otherwise. On phones, where
 * dialogs come from below, toasts are above them.
 */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current, () => NONE)
  const [paused, setPaused] = useState(false)
  const [ToastCard, setToastCard] = useState<ComponentType<ToastCardProps>>()

  // Loads with the page, so that it is there when the network is not, but not before the first paint. A message repeats a failed load.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message
  useEffect(() => {
    import('./toast-card.tsx').then(
      (file) => setToastCard(() => file.ToastCard),
      () => {},
    )
  }, [shown])

  return (
    <div
      role="status"
      className="toasts pointer-events-none fixed inset-x-4 bottom-[calc(var(--bar-height,0px)+1rem)] z-40 flex flex-col items-start gap-2 sm:right-auto sm:left-6 lg:bottom-6"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      {ToastCard && shown.map((toast) => <ToastCard key={toast.key} toast={toast} paused={paused} />)}
    </div>
  )
}
