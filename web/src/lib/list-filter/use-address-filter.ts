import { useRouter, useSearch } from '@tanstack/react-router'

export type AddressFilter<Name extends string> = { [name in Name]?: string }
/** Changes entries; an empty value removes one. With `push` the way back leads to the list as it was. */
export type SetAddressFilter<Name extends string> = (changes: AddressFilter<Name>, how?: 'push') => void

/** The filter of a list, kept in the query of its address: a link, a reload and the way back lead to the same list. */
export function useAddressFilter<Name extends string>(names: readonly Name[]) {
  const router = useRouter()
  const filter = filterIn(names, useSearch({ strict: false }))
  const set: SetAddressFilter<Name> = (changes, how) => {
    // Starts from the current address: a search is set after a pause in typing, in which another entry may have been chosen.
    const next = { ...filterIn(names, router.latestLocation.search), ...changes }
    const query = new URLSearchParams(names.flatMap((name) => (next[name] ? [[name, next[name]]] : [])))
    void router.navigate({
      href: [router.state.location.pathname, query].filter(String).join('?'),
      replace: how !== 'push',
    })
  }
  const clear = () => set(Object.fromEntries(names.map((name) => [name, ''])) as AddressFilter<Name>)
  return [filter, set, clear] as const
}

function filterIn<Name extends string>(names: readonly Name[], search: object): AddressFilter<Name> {
  const given = search as AddressFilter<Name>
  // The router parses a number in the query.
  return Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined ? [] : [[name, String(given[name])]])),
  ) as AddressFilter<Name>
}
