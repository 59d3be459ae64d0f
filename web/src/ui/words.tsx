import { createContext, type ReactNode, use } from 'react'

/** The few words that parts say by themselves. Everything else comes with the part's own props. */
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
  /** "3 more characters", for the password meter. */
  more_characters: (count: number) => string
  invalid: {
    required: string
    email: string
    url: string
    pattern: string
    too_short: (min: number) => string
    other: string
  }
}

const WordsContext = createContext<Words | null>(null)

/** Hands the words of the current language to every part below. The shell mounts it once. */
export function WordsProvider({ words, children }: { words: Words; children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>
}

/** The words of the nearest {@link WordsProvider}; forgetting the provider is a mistake of the program. */
export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('ui parts need a WordsProvider above them')
  return words
}
