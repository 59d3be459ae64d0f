import { type InputOf, LIFETIMES, type operators, problem } from '@vrata/contract'
import { findSetting, findSettingForUpdate, lockSetting, upsertSetting } from '../../db/settings.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { AnonymousActor, OperatorActor, UserActor } from '../../http/actors.ts'
import { hashToken, newToken, type Token } from '../../lib/ids.ts'
import { findUserForUpdate } from '../account/public.ts'
import { recordAudit } from '../audit/public.ts'
import { hasSecondFactor, makeOperator } from './operators.ts'
import * as links from './setup-link-store.ts'
import { listOperators } from './store.ts'

/** When two people use two links at once, one waits here and then finds that there is an operator. */
const SETUP_LOCK = 'setup_lock'
/** Progress of the setup; missing before it has begun. */
const SETUP_STATE = 'setup_state'

/**
 * Issues a link that makes the first operator, for 24 hours. Undefined once there is an operator. A server prints it at its
 * start; earlier links stay valid, because several servers may start at once (operators §1).
 */
export async function issueSetupLink(deps: TransactionDeps): Promise<Token | undefined> {
  const now = deps.clock.now()
  if ((await listOperators(deps.db)).length > 0) return undefined
  await links.deleteExpiredSetupLinks(deps.db, toTime(now))
  const token = newToken()
  await links.insertSetupLink(deps.db, hashToken(token), timeAfter(now, LIFETIMES.setup_link))
  return token
}

/** Returns whether a link is valid. Consumes nothing. */
export async function checkSetupLink(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  _: AnonymousActor,
  { token }: InputOf<typeof operators.checkSetupLink>,
) {
  const expires_at = await links.findSetupLink(deps.db, hashToken(token), toTime(deps.clock.now()))
  if (expires_at === undefined) throw problem('invalid_token')
  return { expires_at }
}

/** Makes the signed-in user the first operator. */
export async function completeSetup(
  deps: TransactionDeps,
  actor: UserActor,
  { token }: InputOf<typeof operators.completeSetup>,
) {
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  await lockSetting(deps.db, SETUP_LOCK)
  const used = await links.consumeSetupLink(deps.db, hashToken(token), toTime(deps.clock.now()))
  if (!used || (await listOperators(deps.db)).length > 0) throw problem('invalid_token')
  if (user.email_verified_at === null) throw problem('email_not_verified')
  if (!(await hasSecondFactor(deps, user.id))) throw problem('second_factor_required')
  await links.deleteSetupLinks(deps.db)
  await upsertSetting(deps.db, SETUP_STATE, 'open')
  return await makeOperator(deps, actor, user, 'admin')
}

type SetupState = (typeof operators.SETUP_STATES)[number]
/** Progress of installations whose first operator was added by a command, or before the setup existed. */
const UNBEGUN: SetupState = 'finished'

/** Returns the progress of the setup, and the facts that its page checks (operators §1). */
export async function getSetup(deps: Pick<AppDeps, 'db' | 'config'>) {
  const state = ((await findSetting(deps.db, SETUP_STATE)) ?? UNBEGUN) as SetupState
  return describe(deps, state)
}

/** Finishes or dismisses setting up, or takes it up again. */
export async function updateSetup(
  deps: TransactionDeps,
  actor: OperatorActor,
  { state }: InputOf<typeof operators.updateSetup>,
) {
  const before = (await findSettingForUpdate(deps.db, SETUP_STATE)) ?? UNBEGUN
  if (state !== before) {
    await upsertSetting(deps.db, SETUP_STATE, state)
    await recordAudit(deps, actor, {
      type: 'setup.changed',
      subject: { kind: 'setup', id: 'installation' },
      changes: { state: [before, state] },
    })
  }
  return describe(deps, state)
}

function describe({ config }: Pick<AppDeps, 'config'>, state: SetupState) {
  return { state, public_url: config.url, mail_server: config.smtp_url !== undefined }
}
