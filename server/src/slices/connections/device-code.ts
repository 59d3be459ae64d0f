import { type AnswerOf, type deviceCodes, type InputOf, problem, readUserCode } from '@vrata/contract'
import type { OpenDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { countGuess, forgetFailures, guessKey, refuseGuesser } from '../security/door.ts'
import { askingClient } from './consent.ts'

/**
 * The code that a device shows leads to its question, and binds it to whoever typed it (RFC 8628 §3.3). Codes are short,
 * so wrong ones are counted on the account, whatever session they come from, besides the limit of the address (§5.1).
 */
export async function openDeviceCode(
  open: OpenDeps,
  actor: Person,
  { user_code }: InputOf<typeof deviceCodes.openDeviceCode>,
): Promise<AnswerOf<typeof deviceCodes.openDeviceCode>> {
  const key = guessKey.code(actor.user_id)
  await refuseGuesser(open, key)
  const found = await open.transaction(async (deps) => {
    const request = await deps.requests.openDevice(deps, readUserCode(user_code), actor)
    if (typeof request !== 'string') await forgetFailures(deps, key)
    return request
  })
  if (typeof found === 'string') {
    await countGuess(open, key)
    throw found === 'unknown'
      ? problem('not_found', { fields: { user_code: 'unknown' } })
      : problem('expired_code', { fields: { user_code: 'invalid' } })
  }
  const { uid, client_id, scopes } = found
  await askingClient(open.db, client_id)
  return { uid, client_id, scope: scopes.join(' ') }
}
