export type ToastAction = { label: string; run: () => void }

/** A message about something done, with at most one action. Not for errors that need action. */
export type Toast = { key: number; text: string; action?: ToastAction }

/** Maximum number shown; older ones leave first. */
const MAX_TOASTS = 3

let keys = 0
let shown: readonly Toast[] = []
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a message for six seconds: `toast('Saved', { label: 'Undo', run })`. */
export function toast(text: string, action?: ToastAction): void {
  change([...shown, { key: ++keys, text, action }].slice(-MAX_TOASTS))
}

/** Visible toasts, for the host. */
export const toasts = {
  current: (): readonly Toast[] => shown,
  dismiss: (key: number) => change(shown.filter((toast) => toast.key !== key)),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
