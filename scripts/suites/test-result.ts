/** What a part of `npm test` reports: counts, and the text to show when something failed. */
export type TestResult = { passed: number; failed: number; report: string }
