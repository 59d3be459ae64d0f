import { useRouter, useSearch } from '@tanstack/react-router'

export type AddressFilter<Name extends string> = { [name in Name]?: string }
/** Changes entries; an empty value removes one. With `push` the way back leads to the list as it was. */
export type SetAddressFilter<Name extends string> = (changes: AddressFilter<Name>, how?: 'push') => void

/** The filter of a list, kept in the query of its address: a link, a reload and the way back lead to the same list. */
export function useAddressFilter<Name extends string>(names: readonly Name[]) {
  const router = useRouter()
  const search = useSearch({ strict: false }) as AddressFilter<Name>
  // The router parses a number in the query.
  const given = names.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])]]))
  const filter: AddressFilter<Name> = Object.fromEntries(given)
  const set: SetAddressFilter<Name> = (changes, how) => {
    const next: AddressFilter<Name> = { ...filter, ...changes }
    const query = new URLSearchParams(names.flatMap((name) => (next[name] ? [[name, next[name]]] : [])))
    void router.navigate({
      href: [router.state.location.pathname, query].filter(String).join('?'),
      replace: how !== 'push',
    })
  }
  const clear = () => set(Object.fromEntries(names.map((name) => [name, ''])) as AddressFilter<Name>)
  return [filter, set, clear] as const
}
