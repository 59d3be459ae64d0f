import { join } from 'node:path'
import type { audit } from '@vrata/contract'
import { resealMails } from '../adapters/mail/mail.ts'
import { buildApp } from '../app.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { otherSecrets } from '../config/other-secrets.ts'
import { deleteOldSecret, hasOldSecret, newSecret, replaceSecret } from '../config/secret-files.ts'
import { findSetting, SECRET_FINGERPRINT, SECRETS_IN_USE, upsertSetting } from '../db/settings.ts'
import type { AppDeps } from '../deps.ts'
import { recordAudit } from '../features/audit/public.ts'
import { resealPairwiseKey } from '../features/clients/public.ts'
import { carryRecoveryCodeKeys, resealSeeds } from '../features/security/public.ts'
import { resealNotifications } from '../issuer/ciba/notify-client.ts'
import { resealSignOuts } from '../issuer/interactions/provider-session.ts'
import { resealKeys } from '../issuer/keys/signing-keys.ts'
import { createEncryption } from '../lib/encryption.ts'
import { CommandError } from './command-error.ts'
import { JSON_ONLY, parseCommand, requireNoArguments } from './command-line.ts'
import { openInstallation } from './with-deps.ts'

/**
 * `vrata secret rotate`: replaces the secret and encrypts everything with the new one. Both are accepted until
 * `--finish`, which needs a server that has started with the new one, and encrypts what servers have encrypted with the old one since.
 * Can be repeated when it was interrupted.
 */
export async function rotateSecret(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, { finish: { type: 'boolean' }, ...JSON_ONLY })
  requireNoArguments(positionals)
  const stored = config.secret_in_data_dir
  const secret = values.finish ? secretToFinish(config) : secretToBegin(config)
  const { adapters, store } = await openInstallation(config)
  try {
    const fingerprint = createEncryption(secret).derive('fingerprint', 'vrata')
    const inUse = (await findSetting(store.read, SECRETS_IN_USE))?.split(' ') ?? []
    if (values.finish && inUse[0] !== fingerprint) throw new CommandError(NOT_RESTARTED)
    // A server reads a new secret of the data folder by itself; one of an earlier version has noted nothing.
    if (!stored && inUse.length > 0 && !inUse.includes(fingerprint)) throw new CommandError(NOT_ACCEPTED)
    // Before the first value is encrypted with it, so that no value depends on a secret that was lost.
    if (stored && !values.finish && !replaceSecret(config.data_dir, config.secret, secret))
      throw new CommandError(UNFINISHED)
    const encryption = createEncryption(secret, () =>
      [config.secret, ...otherSecrets(config)].filter((one) => one !== secret),
    )
    const { app, deps } = await buildApp({ adapters: { ...adapters, encryption }, store, pages: false })
    const count = await resealAll(deps, values.finish === true)
    await app.close()
    if (stored && values.finish) deleteOldSecret(config.data_dir)
    if (values.json) return console.log(JSON.stringify({ encrypted: count, finished: values.finish === true }))
    console.log(`${count} ${count === 1 ? 'value was' : 'values were'} encrypted with the new secret.`)
    console.log(whatToDo(config, values.finish === true))
  } finally {
    await store.close()
  }
}

/** Encrypts everything in the database with the current secret; returns how many values had another one. */
async function resealAll(deps: AppDeps, finished: boolean): Promise<number> {
  // First, because nothing else can restore the keys of recovery codes.
  await deps.transaction(carryRecoveryCodeKeys)
  const keys = (await resealKeys(deps)) + (await deps.transaction(resealPairwiseKey))
  const seeds = await resealSeeds(deps)
  const signOuts = await deps.transaction(resealSignOuts)
  const notifications = await deps.transaction(resealNotifications)
  const mails = await resealMails(deps)
  await deps.transaction(async (tx) => {
    await upsertSetting(tx.db, SECRET_FINGERPRINT, tx.encryption.derive('fingerprint', 'vrata'))
    const subject = { kind: 'secret', id: 'installation' }
    const changes = { finished: [null, finished] } satisfies audit.AuditChanges
    await recordAudit(tx, { command: 'vrata secret rotate' }, { type: 'secret.rotated', subject, changes })
  })
  return keys + seeds + signOuts + notifications + mails
}

const UNFINISHED =
  'The last rotation is not finished: when the server has been restarted since, run "vrata secret rotate --finish" first.'

/** Values that such a server encrypts would be unreadable after its restart. */
const NOT_RESTARTED =
  'No server has been started with the new secret: a running one encrypts with the old secret until it is restarted. Restart every server, then run "vrata secret rotate --finish" again.'

/** Such a server could read nothing that is encrypted with the new secret. */
const NOT_ACCEPTED =
  'The server that was started last does not accept the new secret. Set VRATA_NEW_SECRET on every server and restart them, then run "vrata secret rotate" again.'

function secretToBegin({ secret, secret_in_data_dir, old_secret, new_secret, data_dir }: Config): string {
  if (old_secret || (secret_in_data_dir && hasOldSecret(data_dir))) throw new CommandError(UNFINISHED)
  if (secret_in_data_dir) return newSecret()
  if (new_secret === secret) throw new ConfigError('VRATA_NEW_SECRET: must not be the same as VRATA_SECRET')
  if (new_secret) return new_secret
  throw new ConfigError(
    'VRATA_NEW_SECRET: must be set, because VRATA_SECRET comes from the environment; create one with `openssl rand -base64 48`',
  )
}

function secretToFinish({ secret, secret_in_data_dir, old_secret, data_dir }: Config): string {
  if (old_secret === secret) throw new ConfigError('VRATA_OLD_SECRET: must not be the same as VRATA_SECRET')
  if (old_secret || (secret_in_data_dir && hasOldSecret(data_dir))) return secret
  if (secret_in_data_dir) throw new CommandError('There is nothing to finish: the data folder has no old secret.')
  throw new ConfigError('VRATA_OLD_SECRET: must be the replaced secret, and VRATA_SECRET the new one.')
}

function whatToDo({ secret_in_data_dir: stored, data_dir }: Config, finish: boolean): string {
  if (finish)
    return stored ? 'The old secret was deleted.' : 'Remove VRATA_OLD_SECRET from the settings of every server.'
  if (stored)
    return [
      `The new secret is in ${join(data_dir, 'secret')}, the old one in ${join(data_dir, 'secret.old')}.`,
      'Restart the server, then run "vrata secret rotate --finish".',
    ].join('\n')
  return [
    'Change the settings of every server, and restart one after the other:',
    '  VRATA_SECRET      the value of VRATA_NEW_SECRET',
    '  VRATA_OLD_SECRET  the former value of VRATA_SECRET',
    '  VRATA_NEW_SECRET  removed',
    'When all servers run with them, run "vrata secret rotate --finish" and remove VRATA_OLD_SECRET.',
  ].join('\n')
}
