import { createContext, type ReactNode, use } from 'react'

/** Texts that components use by themselves; all others are props. */
export type Words = {
  show_password: string
  hide_password: string
  copy: string
  copied: string
  close: string
  search: string
  nothing_found: string
  try_again: string
  support_code: string
  password_secure: string
  password_not_secure: string
  /** "At least 12 characters", for the password meter. */
  least_characters: (count: number) => string
  /** "3 more characters", for the password meter. */
  more_characters: (count: number) => string
  invalid: {
    required: string
    /** "Enter your email.", for a field about the person. */
    required_own: (field: string) => string
    email: string
    url: string
    pattern: string
    too_short: (min: number) => string
    other: string
  }
}

const WordsContext = createContext<Words | null>(null)

/** Provides the texts of the current language; mounted by the shell. */
export function WordsProvider({ words, children }: { words: Words; children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>
}

/** Texts of the nearest {@link WordsProvider}. Throws without one. */
export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('ui parts need a WordsProvider above them')
  return words
}
