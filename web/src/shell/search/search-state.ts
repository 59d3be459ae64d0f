let opened = false
let hosts = 0
const listeners = new Set<() => void>()

function change(next: boolean) {
  opened = next
  for (const listener of listeners) listener()
}

/** Whether the search is open. */
export const searchState = {
  isOpen: (): boolean => opened,
  open: () => change(true),
  close: () => change(false),
  /** Registers a host. When the last host is removed the search closes; another shell continues it. */
  mount(): () => void {
    hosts++
    return () => {
      hosts--
      setTimeout(() => hosts === 0 && change(false))
    }
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
