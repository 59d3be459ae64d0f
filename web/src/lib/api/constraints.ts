import type { CallOf, Route } from '@vrata/contract'

/** Native constraints of an `<input>`, derived from the contract at build time. */
export type Constraints = {
  required?: boolean
  minLength?: number
  maxLength?: number
  min?: number
  max?: number
  pattern?: string
  type?: 'email' | 'url' | 'number' | 'date'
}

/** `<input name="email" {...constraintsOf(signIn.register, 'email')} />` */
export function constraintsOf<R extends Route>(route: R, field: keyof CallOf<R> & string): Constraints {
  const { input } = route as { input?: Record<string, Constraints> }
  return input?.[field] ?? {}
}
