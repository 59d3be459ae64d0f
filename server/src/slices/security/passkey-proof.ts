import { LIFETIMES, type PasskeyProof } from '@vrata/contract'
import type { PasskeyChallengesTable, PasskeysTable } from '../../db/schema.ts'
import { timeAfter, toFlag, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { hashToken } from '../../ports/ids.ts'
import { challengeOf, relyingParty, userHandleOf, verifyProof } from '../../ports/passkeys.ts'
import { browserOf } from './browser.ts'
import * as store from './passkey-store.ts'

/** What a challenge is for, and whose; nobody's while nobody has said who they are. */
export interface Asking {
  purpose: PasskeyChallengesTable['purpose']
  user_id: string | null
}

/** Remembers, as its hash, what this browser's passkey is to sign. */
export async function rememberChallenge(deps: Deps, visitor: Visitor, asking: Asking, challenge: string) {
  await store.insertChallenge(deps.db, {
    ...asking,
    challenge_hash: hashToken(challenge),
    browser_hash: browserOf(visitor),
    expires_at: timeAfter(deps.clock.now(), LIFETIMES.passkey_challenge),
  })
}

/** Uses a challenge up, before anything is verified, so that it serves one try and not one success. */
export async function consumeChallenge(
  open: OpenDeps,
  visitor: Visitor,
  asking: Asking,
  challenge: string | undefined,
): Promise<boolean> {
  if (challenge === undefined) return false
  const asked = { ...asking, challenge_hash: hashToken(challenge), browser_hash: browserOf(visitor) }
  return await open.transaction(({ db, clock }) => store.consumeChallenge(db, asked, toTime(clock.now())))
}

/** A passkey that has signed what it was asked to; it counts once `usePasskey` has agreed, with what it opens. */
export interface ProvenPasskey {
  passkey: PasskeysTable
  counter: number
  backed_up: boolean
}

/** Whose passkey has signed this browser's challenge; undefined for whatever is not right, and the log says what. */
export async function provePasskey(
  open: OpenDeps,
  visitor: Visitor,
  asking: Asking,
  response: PasskeyProof,
): Promise<ProvenPasskey | undefined> {
  const refuse = (reason: string) => void open.log.info({ reason, purpose: asking.purpose }, 'a passkey was refused')
  const challenge = challengeOf(response)
  const asked = await consumeChallenge(open, visitor, asking, challenge)
  if (!asked || challenge === undefined) return refuse('nobody asked for this')
  const passkey = await store.findPasskey(open.db, response.id)
  if (!passkey) return refuse('nobody has it')
  const handle = userHandleOf(response)
  // One that is found without a name says whose it is; others may leave it out (WebAuthn §7.2, step 6).
  if (handle === undefined ? asking.user_id === null : handle !== passkey.user_id) return refuse('not its person')
  if (asking.user_id !== null && asking.user_id !== passkey.user_id) return refuse('somebody else’s')
  const verified = await verifyProof(relyingParty(open.config.url), challenge, response, {
    credential_id: passkey.credential_id,
    public_key: passkey.public_key,
    synced: passkey.synced === 1,
  })
  if (verified.refused !== undefined) return refuse(verified.refused)
  const { counter, backed_up } = verified.key
  if (isCopy(Number(passkey.counter), counter)) {
    open.log.warn(
      { passkey_id: passkey.id, user_id: passkey.user_id },
      'the counter of a passkey went backwards: there may be a copy of it',
    )
    return undefined
  }
  return { passkey, counter, backed_up }
}

/** Counters only grow, but for those of passkeys on several devices, which stay at 0 (WebAuthn §6.1.1). */
function isCopy(before: number, now: number): boolean {
  return (before > 0 || now > 0) && now <= before
}

/** Notes the use in the transaction of what it opens; false when the passkey was removed or used meanwhile. */
export async function usePasskey(deps: Deps, { passkey, counter, backed_up }: ProvenPasskey): Promise<boolean> {
  return await store.usePasskey(deps.db, passkey, {
    counter: String(counter),
    backed_up: toFlag(backed_up),
    last_used_at: toTime(deps.clock.now()),
  })
}

export async function pruneChallenges(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteExpiredChallenges(deps.db, toTime(deps.clock.now()), most)
}
