import { Problem } from '@vrata/contract'
import type { Config } from '../config/config.ts'
import type { AppDeps } from '../deps.ts'
import { revokeKeys, rotateKeys } from '../issuer/keys/signing-keys.ts'
import { CommandError } from './command-error.ts'
import { JSON_ONLY, parseCommand, requireNoArguments } from './command-line.ts'
import { withDeps } from './with-deps.ts'

/** `vrata keys list`: one line for each signing key, without the key itself. */
export async function listSigningKeys(config: Config, args: string[] = []): Promise<void> {
  const { values, positionals } = parseCommand(args, JSON_ONLY)
  requireNoArguments(positionals)
  await withDeps(config, async (deps) => {
    for (const key of await deps.signingKeys.list()) {
      const { kid, alg, state, published, changed_at } = key
      const facts = [kid, alg.padEnd(5), state.padEnd(7), published ? 'published' : 'private  ', `since ${changed_at}`]
      console.log(values.json ? JSON.stringify(key) : facts.join('  '))
    }
  })
}

/** `vrata keys rotate`. */
export async function rotateSigningKeys(config: Config, args: string[] = []): Promise<void> {
  const { values, positionals } = parseCommand(args, JSON_ONLY)
  requireNoArguments(positionals)
  await withDeps(config, async (deps) => {
    await rotateKeys(deps, { command: 'vrata keys rotate' })
    if (values.json) return await printKeys(deps)
    console.log('Signing keys rotated. Running servers use the new ones within a second.')
  })
}

/** The id of a key is a hash in base64url (RFC 7638), so that every 64th begins with a dash. */
const DASHED_ID = /^-[\w-]{42}$/

/** `vrata keys revoke KID …`. */
export async function revokeSigningKeys(config: Config, args: string[]): Promise<void> {
  const [dashed, others] = [args.filter((arg) => DASHED_ID.test(arg)), args.filter((arg) => !DASHED_ID.test(arg))]
  const parsed = parseCommand(others, JSON_ONLY)
  const { values } = parsed
  const kids = [...parsed.positionals, ...dashed]
  // An empty id is that of a variable that is not set.
  if (kids.length === 0 || kids.includes(''))
    throw new CommandError('Give the ids of the keys; "vrata keys list" prints them.', { exitCode: 2 })
  await withDeps(config, async (deps) => {
    await revokeKeys(deps, { command: 'vrata keys revoke' }, kids).catch((cause: unknown) => {
      if (cause instanceof Problem && cause.code === 'not_found')
        throw new CommandError(`There is ${cause.message}; "vrata keys list" prints the ids.`, { cause })
      throw cause
    })
    if (values.json) return await printKeys(deps)
    console.log(
      `${kids.length === 1 ? 'The key is' : 'The keys are'} revoked. Running servers reject their signatures within a second.`,
    )
    console.log(
      'Apps that keep the published keys reject them when they next fetch the keys, as a rule within 10 minutes.',
    )
  })
}

async function printKeys(deps: AppDeps): Promise<void> {
  console.log(JSON.stringify(await deps.signingKeys.list()))
}
