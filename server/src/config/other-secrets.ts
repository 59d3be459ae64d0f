import type { Config } from './config.ts'
import { readSecrets } from './secret-files.ts'

/** Accepted secrets besides the current one. A running server finds a secret that was replaced in the data folder. */
export function otherSecrets({ secret, old_secret, new_secret, secret_in_data_dir, data_dir }: Config): string[] {
  const stored = secret_in_data_dir ? readSecrets(data_dir) : []
  return [new_secret, old_secret, ...stored].filter((other) => other !== undefined && other !== secret) as string[]
}
