/** Steps before a sign-in is complete, in this order; until then the session can do nothing else (operators §8). */
export const NEXT_STEPS = ['terms', 'second_factor_setup'] as const
export type NextStep = (typeof NEXT_STEPS)[number]
