/** How long a lost connection is nobody's business: a server that starts anew, a train in a tunnel. */
const LONG_MS = 10_000

let lost = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(next: boolean) {
  if (lost === next) return
  lost = next
  for (const listener of listeners) listener()
}

/** Whether the connection over which the server tells news has been gone for long; the frame says so. */
export const connection = {
  lostForLong: () => lost,
  gone() {
    timer ??= setTimeout(() => change(true), LONG_MS)
  },
  back() {
    clearTimeout(timer)
    timer = undefined
    change(false)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
