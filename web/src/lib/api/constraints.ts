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
  options?: readonly string[]
}

/** `<input name="email" {...constraintsOf(signIn.register, 'email')} />` */
export function constraintsOf<R extends Route>(
  route: R,
  field: keyof CallOf<R> & string,
): Omit<Constraints, 'options'> {
  const { options: _, ...native } = inputOf(route)[field] ?? {}
  return native
}

/** Options of an enumerated field in the order of the contract. */
export function optionsOf<R extends Route>(route: R, field: keyof CallOf<R> & string): readonly string[] {
  return inputOf(route)[field]?.options ?? []
}

function inputOf(route: object): Record<string, Constraints> {
  return (route as { input?: Record<string, Constraints> }).input ?? {}
}
