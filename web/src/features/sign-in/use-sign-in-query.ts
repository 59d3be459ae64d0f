import { useHydrated, useSearch } from '@tanstack/react-router'
import { useAppContext } from '../../lib/app-context.tsx'

/** Query parameters of the sign-in page. */
export type SignInQuery = {
  redirect?: string
  register?: string
  forgot?: string
  sent?: string
  otp?: string
  /** The sign-in that waits for its second step. */
  sign_in?: string
  /** Expected user (OpenID Connect Core §3.1.2.1). */
  login_hint?: string
  /** Problem code of a form that was posted before the script ran. */
  problem?: string
}

/**
 * Query parameters of the address. Until hydration only those for which the HTML was rendered, because the same HTML is
 * delivered at many addresses.
 */
export function useSignInQuery(): SignInQuery {
  const query = useSearch({ strict: false }) as SignInQuery
  const { renderedFor } = useAppContext()
  return useHydrated() ? query : renderedFor
}
