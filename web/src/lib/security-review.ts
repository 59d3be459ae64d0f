/** User and finding that the security check shows; kept for the tab, so that a reload continues. */
const KEY = 'security_review'
const listeners = new Set<() => void>()

/** The security check that leads through the findings, one after the other (design §7.10). */
export const securityReview = {
  /** The finding, unless another user has signed in meanwhile. */
  current(user_id: string): string | null {
    const [owner, finding = null] = sessionStorage.getItem(KEY)?.split(' ') ?? []
    return owner === user_id ? finding : null
  },
  show(user_id: string, finding: string): void {
    sessionStorage.setItem(KEY, `${user_id} ${finding}`)
    for (const listener of listeners) listener()
  },
  end(): void {
    sessionStorage.removeItem(KEY)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
