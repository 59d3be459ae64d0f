import type { ThemeChoice } from '../ui/theme-switch.tsx'

/** Where the choice is kept; the script in the head of the document reads it before the first paint. */
const STORED = 'theme'

/** What the person chose on this device; without a choice the operating system decides. */
export function chosenTheme(): ThemeChoice {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'device'
}

/** Repaints at once and remembers. Private windows may refuse to remember; the page still turns. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'device') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  try {
    if (choice === 'device') localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, choice)
  } catch {
    // Storage is switched off: the choice lives as long as the page.
  }
}
