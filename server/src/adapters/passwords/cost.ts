/** Cost of a hash: `memoryCost` in KiB, passes, lanes. */
export type Cost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP's recommendation: 19 MiB, two passes, one lane; about 8 ms (performance §1, decision 0015). */
export const LEAST_COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
