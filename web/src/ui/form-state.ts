import { createContext, use } from 'react'

/** What a form tells the fields inside it. */
export type FormState = { busy: boolean; errors: Readonly<Record<string, string>> }

const QUIET: FormState = { busy: false, errors: {} }

/** Set by `Form`. Parts outside a form see a form that is never busy and has no errors. */
export const FormStateContext = createContext<FormState>(QUIET)

export function useFormState(): FormState {
  return use(FormStateContext)
}
