import { configuration, type InputOf, LIMITS } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import { findBranding, planBranding } from '../branding/public.ts'
import { listGroupRows, listMemberAddresses } from '../groups/public.ts'
import { findStoredPolicy, planPolicy } from '../policy/public.ts'
import { pictureAsData } from './pictures.ts'

/** Returns policy, branding and groups as one document, with the members of groups where they are asked for. */
export async function getConfiguration(
  deps: Pick<AppDeps, 'db' | 'policy' | 'media'>,
  _: unknown,
  { members = false }: InputOf<typeof configuration.getConfiguration>,
): Promise<configuration.Configuration> {
  const { accent_colors: __, ...branding } = planBranding(await findBranding(deps.db), {}).before
  const pictures = await Promise.all(
    configuration.PICTURES.map(async (name) => [name, await pictureAsData(deps, branding[name])] as const),
  )
  const rows = await listGroupRows(deps.db, { matching: '', after: undefined, limit: LIMITS.groups })
  const addresses = members ? Map.groupBy(await listMemberAddresses(deps.db), ({ group_key }) => group_key) : undefined
  return {
    version: configuration.FORMAT,
    policy: planPolicy(deps, await findStoredPolicy(deps.db), {}).before,
    branding: { ...branding, ...Object.fromEntries(pictures) },
    groups: rows.map(({ key, name, description }) => ({
      key,
      name,
      description,
      ...(addresses ? { members: (addresses.get(key) ?? []).map(({ email }) => email) } : {}),
    })),
  }
}
