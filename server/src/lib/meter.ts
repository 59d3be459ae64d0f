/**
 * Counts what an operator watches. Labels come from small sets, never from requests: each combination is kept in memory, and
 * a reader of the metrics may not be allowed to read addresses and names.
 */
export interface Meter {
  /** An attempt to sign in. `result` is `signed_in` or the code of the problem. */
  signIn(method: SignInMethod, result: string): void
  /** An answer of the token endpoint. `result` is `issued` or the OAuth error. */
  grant(type: string, result: string): void
  /** A token of this kind is stored. JWT access tokens and ID tokens are not stored. */
  token(kind: string): void
  /** An attempt to run a job, and its duration in seconds. */
  job(kind: string, outcome: JobOutcome, seconds: number): void
  /** This process runs jobs of this kind: the counter of those that fail begins at 0, so that the first one is an increase. */
  jobKind(kind: string): void
  /** An attempt to send a mail of this type. */
  mail(type: string, outcome: 'sent' | 'failed'): void
}

export type SignInMethod = 'password' | 'code' | 'passkey' | 'qr' | 'registration'

/** `failed`: for good; `retried`: it will be tried again; `lost`: another server has taken the job over. */
export type JobOutcome = 'done' | 'retried' | 'failed' | 'lost'

/** Counts nothing. */
export const noMeter: Meter = {
  signIn() {},
  grant() {},
  token() {},
  job() {},
  jobKind() {},
  mail() {},
}
