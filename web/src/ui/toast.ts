export type ToastAction = { label: string; run: () => void }

/** One sentence about what has happened, and at most one thing to do about it. Never an error that needs doing. */
export type Toast = { key: number; text: string; action?: ToastAction }

/** How many are on the screen at once; older ones leave first. */
const ROOM = 3

let keys = 0
let shown: readonly Toast[] = []
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}

/** Says a sentence in the corner for six seconds: `toast('Saved', { label: 'Undo', run })`. */
export function toast(text: string, action?: ToastAction): void {
  change([...shown, { key: ++keys, text, action }].slice(-ROOM))
}

/** The toasts on the screen, for their host. */
export const toasts = {
  current: (): readonly Toast[] => shown,
  dismiss: (key: number) => change(shown.filter((toast) => toast.key !== key)),
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
