import { withDeps } from './command-deps.ts'
import type { Config } from './config.ts'
import { listKeys, revokeKeys, rotateKeys } from './issuer/keys/signing-keys.ts'

/** `vrata keys list`: one line for each signing key, without the key itself. */
export async function listSigningKeys(config: Config): Promise<void> {
  await withDeps(config, async (deps) => {
    for (const { kid, alg, state, published, changed_at } of await listKeys(deps))
      console.log(
        `${kid}  ${alg.padEnd(5)}  ${state.padEnd(7)}  ${published ? 'published' : 'private  '}  since ${changed_at}`,
      )
  })
}

/** `vrata keys rotate`. */
export async function rotateSigningKeys(config: Config): Promise<void> {
  await withDeps(config, async (deps) => {
    await rotateKeys(deps)
    console.log('Signing keys rotated. Running servers use the new ones within a second.')
  })
}

/** `vrata keys revoke KID …`. */
export async function revokeSigningKeys(config: Config, kids: string[]): Promise<void> {
  if (kids.length === 0) throw new Error('Give the ids of the keys; "vrata keys list" prints them.')
  await withDeps(config, async (deps) => {
    await revokeKeys(deps, kids)
    console.log(
      `${kids.length === 1 ? 'The key is' : 'The keys are'} revoked. Running servers reject their signatures within a second.`,
    )
    console.log(
      'Apps that keep the published keys reject them when they next fetch the keys, as a rule within 10 minutes.',
    )
  })
}
