import type { Advanced } from '@vrata/contract/clients'

export function isFapi2({ security_profile }: Advanced): boolean {
  return security_profile === 'fapi2'
}

/** The algorithms that the security profile of the app allows. */
export function allowedAlgorithms<Algorithm extends string>(
  algorithms: readonly Algorithm[],
  now: Advanced,
): Algorithm[] {
  return algorithms.filter((alg) => !(isFapi2(now) && alg === 'RS256'))
}
