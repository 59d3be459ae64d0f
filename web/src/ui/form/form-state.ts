import { createContext, use } from 'react'

/** State of a form for its fields. */
export type FormState = { busy: boolean; errors: Readonly<Record<string, string>> }

const QUIET: FormState = { busy: false, errors: {} }

/** Provided by `Form`. Outside a form it is idle without errors. */
export const FormStateContext = createContext<FormState>(QUIET)

export function useFormState(): FormState {
  return use(FormStateContext)
}
