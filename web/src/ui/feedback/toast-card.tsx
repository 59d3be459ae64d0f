import { useEffect } from 'react'
import { IconButton } from '../button.tsx'
import { CloseIcon } from '../icons/icons.tsx'
import { useWords } from '../words.tsx'
import { type Toast, toasts } from './toast.ts'

/** Milliseconds; hover and focus restart it. */
const DURATION = 6000

export type ToastCardProps = { toast: Toast; paused: boolean }

/** One toast; it disappears by itself. */
export function ToastCard({ toast, paused }: ToastCardProps) {
  const words = useWords()
  const { key, text, action } = toast

  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => toasts.dismiss(key), DURATION)
    return () => clearTimeout(timer)
  }, [paused, key])

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
