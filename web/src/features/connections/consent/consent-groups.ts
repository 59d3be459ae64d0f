import type { Consent } from '@vrata/contract/connections'

type Scope = Consent['scopes'][number]
type Name = 'sensitive' | 'group.you' | 'group.actions'

/** Longer lists are grouped (design §7.3). */
const UNGROUPED = 6

/** Requested scopes, sensitive ones first; more than six are grouped. */
export function groupsOf(scopes: readonly Scope[]): { name?: Name; scopes: Scope[] }[] {
  const grouped = Map.groupBy(scopes, nameOf)
  const order: Name[] = ['sensitive', 'group.you', 'group.actions']
  const groups = order.flatMap((name) => ({ name, scopes: grouped.get(name) ?? [] })).filter((one) => one.scopes.length)
  return scopes.length > UNGROUPED ? groups : [{ scopes: groups.flatMap((group) => group.scopes) }]
}

/** Scopes of Vrata have no dot and describe the user, except `offline_access`. */
function nameOf({ key, sensitive }: Scope): Name {
  if (sensitive) return 'sensitive'
  return key.includes('.') || key === 'offline_access' ? 'group.actions' : 'group.you'
}
