import type { Consent } from '@vrata/contract/connections'

type Scope = Consent['scopes'][number]
type Name = 'sensitive' | 'group.you' | 'group.deeds'

/** Up to here a list is read at one glance (design.md, consent). */
const UNGROUPED = 6

/** What an app asks for, the sensitive first; more than six in groups with a name each. */
export function groupsOf(scopes: readonly Scope[]): { name?: Name; scopes: Scope[] }[] {
  const grouped = Map.groupBy(scopes, nameOf)
  const order: Name[] = ['sensitive', 'group.you', 'group.deeds']
  const groups = order.flatMap((name) => ({ name, scopes: grouped.get(name) ?? [] })).filter((one) => one.scopes.length)
  return scopes.length > UNGROUPED ? groups : [{ scopes: groups.flatMap((group) => group.scopes) }]
}

/** The product's own scopes, which have no dot, tell of the person; all but the one that lets an app stay. */
function nameOf({ key, sensitive }: Scope): Name {
  if (sensitive) return 'sensitive'
  return key.includes('.') || key === 'offline_access' ? 'group.deeds' : 'group.you'
}
