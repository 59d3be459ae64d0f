/**
 * What of `after` differs from `before`. Dialogs send nothing else: others may have changed the rest since the dialog was opened.
 */
export function changedFrom<T extends object>(before: Record<keyof T, unknown>, after: T): Partial<T> {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof T])
  return Object.fromEntries(changed) as Partial<T>
}
