import { useHydrated, useLocation, useRouter } from '@tanstack/react-router'
import type { KnownAccount } from '@vrata/contract/sign-in'
import { type SignInQuery, useSignInQuery } from './use-sign-in-query.ts'

export type Step = 'signin' | 'signup' | 'forgot' | 'sent' | 'accounts' | 'otp'

/** Data that the previous step passes to the next one, outside the address. */
export type StepState = { email?: string; account?: KnownAccount; notice?: string }

/** How the address changes; the one of the second step names the sign-in for which it asks. */
export type StepAddress = { replace?: boolean; sign_in?: string }

/** Steps with an address of their own, by query parameter. */
const QUERY = { register: 'signup', forgot: 'forgot', sent: 'sent', otp: 'otp' } as const
const NAMES = Object.keys(QUERY) as (keyof typeof QUERY)[]

/** The step that the query names. */
export function stepOf(query: SignInQuery): Step {
  const name = NAMES.find((name) => name in query)
  return name ? QUERY[name] : 'signin'
}

/** The step that address and history entry name. Every step is an entry, so Back returns to the previous one. */
export function useStep() {
  const router = useRouter()
  const query = useSignInQuery()
  const hydrated = useHydrated()
  const state = useLocation({ select: ({ state }) => state.step })

  function hrefOf(step: Step, sign_in?: string): string {
    const search = new URLSearchParams(query)
    for (const name of ['problem', 'sign_in', ...NAMES]) search.delete(name)
    for (const name of NAMES) if (QUERY[name] === step) search.set(name, 'true')
    if (sign_in) search.set('sign_in', sign_in)
    return search.size ? `/login?${search}` : '/login'
  }

  return {
    step: stepOf(query),
    // The HTML was rendered without the state of the history entry.
    state: hydrated ? state : undefined,
    query,
    hrefOf,
    navigate(step: Step, state?: StepState, { replace = false, sign_in }: StepAddress = {}) {
      void router.navigate({
        href: hrefOf(step, sign_in),
        state: state ? { step: state } : {},
        replace,
        resetScroll: false,
      })
    },
  }
}
