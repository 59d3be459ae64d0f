import type { Account as EngineAccount } from 'oidc-provider'
import { claimsOf } from './claims.ts'
import { unitOfWork } from './unit-of-work.ts'

/** The engine's account is our person, with what decides whether they may go on. */
export interface Account extends EngineAccount {
  user: { email_verified: boolean }
}

/** A person who may sign in to apps; undefined for somebody who is gone or blocked. */
export async function findAccount(_: unknown, sub: string): Promise<Account | undefined> {
  const unit = unitOfWork()
  const user = await unit.person(sub)
  if (!user || user.disabled_at !== null) return undefined
  return {
    accountId: user.id,
    user: { email_verified: user.email_verified_at !== null },
    claims: async () => claimsOf(user, unit.deps.config.url),
  }
}
