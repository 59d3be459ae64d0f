import { CommandError } from '../commands/command-error.ts'
import type { Settings } from '../config/config.ts'
import { readSecrets } from '../config/secret-files.ts'
import { createEncryption } from '../lib/encryption.ts'
import { openSecrets } from './sealed-secrets.ts'
import type { Summary } from './verify-backup.ts'

/**
 * The secrets that restoring must write into the data folder, the current one first; none when the settings of the target have
 * the secret of the backup. Throws `CommandError` when the restored installation could not decrypt its values.
 *
 * @param passphrase asks for the passphrase of the secrets in the backup
 */
export async function restoredSecrets(
  settings: Pick<Settings, 'secret' | 'secret_in_data_dir' | 'old_secret' | 'new_secret' | 'data_dir'>,
  { header, fingerprint }: Pick<Summary, 'header' | 'fingerprint'>,
  passphrase: () => Promise<string>,
): Promise<string[]> {
  const { secret, secret_in_data_dir: stored, old_secret, new_secret, data_dir } = settings
  const given = [secret, old_secret, new_secret, ...(stored ? readSecrets(data_dir) : [])]
  // No server has ever been started with the database.
  if (fingerprint === undefined || given.some((one) => one !== undefined && hasFingerprint(one, fingerprint))) return []
  if (secret !== undefined)
    throw new CommandError(
      stored
        ? `The secret in ${data_dir} is not the one of the backup. Restore into a data folder without a secret, or with the original one.`
        : 'VRATA_SECRET is not the secret of the backup. Set the original one.',
    )
  if (!header.secrets)
    throw new CommandError(
      'The backup has no secret, and its values cannot be decrypted without it. Set VRATA_SECRET to the original secret, or put the original file `secret` into the data folder.',
    )
  const secrets = openSecrets(header.secrets, await passphrase())
  if (!secrets.some((one) => hasFingerprint(one, fingerprint)))
    throw new CommandError('The secret in the backup does not belong to its database.')
  return secrets
}

function hasFingerprint(secret: string, fingerprint: string): boolean {
  return createEncryption(secret).derive('fingerprint', 'vrata') === fingerprint
}
