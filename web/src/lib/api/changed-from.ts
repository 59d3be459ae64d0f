/**
 * Members of `after` that differ from `before`. Dialogs send only these: others may have changed the rest since the dialog was opened.
 */
export function changedFrom<T extends object>(before: Record<keyof T, unknown>, after: T): Partial<T> {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof T])
  return Object.fromEntries(changed) as Partial<T>
}

/** `after`, with what others have changed of the list since `before`, which is `now`: a call sends a list as a whole. */
export function mergedList(before: readonly string[], after: readonly string[], now: readonly string[]): string[] {
  const kept = now.filter((one) => after.includes(one) || !before.includes(one))
  return [...kept, ...after.filter((one) => !before.includes(one) && !now.includes(one))]
}
