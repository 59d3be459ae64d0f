/**
 * Cost of password hashes in tests; no setting of a server allows it. Hashing at full cost would be a fifth of the work of all
 * tests, and 2 % of that of the journeys. `passwords.test.ts` tests the full cost.
 */
export const LOW_COST = { memoryCost: 1024, timeCost: 1, parallelism: 1 }
