import { createContext, use } from 'react'

/** Where the changes of a page stand; the head of the app says it (`client.layout.tsx`). */
export type Saving = 'saved' | 'saving' | 'failed'

export const SavingContext = createContext<(state: Saving) => void>(() => {})

/** `const tell = useSaving(); tell('saving')` */
export function useSaving(): (state: Saving) => void {
  return use(SavingContext)
}
