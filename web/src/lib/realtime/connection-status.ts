/** Milliseconds before a lost connection is shown. */
const GRACE_MS = 10_000

let lost = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: boolean) {
  if (lost === next) return
  lost = next
  for (const listener of listeners) listener()
}

/** Whether the realtime connection has been lost for a while; the frame shows it. */
export const connectionStatus = {
  isLost: () => lost,
  markLost() {
    timer ??= setTimeout(() => change(true), GRACE_MS)
  },
  markConnected() {
    clearTimeout(timer)
    timer = undefined
    change(false)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
