import type { ThemeChoice } from '../../ui/navigation/theme-switch.tsx'

/** Key in local storage; the inline script reads it before the first paint. */
const STORED = 'theme'

const listeners = new Set<() => void>()

export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Theme chosen on this device; otherwise the operating system decides. */
export function chosenTheme(): ThemeChoice {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'device'
}

/** Applies and stores the theme. Storage may be unavailable in private windows. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'device') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  try {
    if (choice === 'device') localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, choice)
  } catch {
    // Storage is unavailable: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}
