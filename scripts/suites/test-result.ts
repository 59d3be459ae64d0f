/** Report of a part of `npm test`: counts, and the text to show when something failed. */
export type TestResult = { passed: number; failed: number; report: string }
