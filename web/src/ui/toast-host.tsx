import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import { type Toast, toasts } from './toast.ts'
import { useWords } from './words.tsx'

/** How long a toast stays, in milliseconds; hovering or focusing it starts the time anew. */
const STAY = 6000

const NONE: readonly Toast[] = []

/** Bottom left; above the bar on phones. The live region is always there, else its first sentence is not read out. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current, () => NONE)
  const [held, setHeld] = useState(false)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(var(--bar-height,0px)+1rem)] z-40 flex flex-col items-start gap-2 sm:right-auto sm:left-6 lg:bottom-6"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown.map((toast) => (
        <ToastCard key={toast.key} toast={toast} held={held} />
      ))}
    </div>
  )
}

function ToastCard({ toast, held }: { toast: Toast; held: boolean }) {
  const words = useWords()
  const { key, text, action } = toast

  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => toasts.dismiss(key), STAY)
    return () => clearTimeout(timer)
  }, [held, key])

  return (
    <div className="toast-in pointer-events-auto flex w-full max-w-105 items-center gap-2 rounded-control bg-ink py-1 pr-1 pl-4 text-page shadow-popup forced-colors:border">
      <p className="min-w-0 grow py-2 font-medium">{text}</p>
      {action && (
        <button
          type="button"
          className="min-h-11 shrink-0 rounded-row px-3 font-semibold text-toast-action"
          onClick={() => {
            action.run()
            toasts.dismiss(key)
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={words.close} tone="inherit" onClick={() => toasts.dismiss(key)}>
        <CloseIcon size={18} />
      </IconButton>
    </div>
  )
}
