import { useRouter, useSearch } from '@tanstack/react-router'
import { setFilter } from './set-filter.ts'

type Filter<Name extends string> = { [name in Name]?: string }

/**
 * The filter of a list, kept in the query of its address: a link, a reload and the way back lead to the same list. An empty value removes
 * an entry.
 */
export function useAddressFilter<Name extends string>(names: readonly Name[]) {
  const router = useRouter()
  const search = useSearch({ strict: false }) as Filter<Name>
  // The router parses a number in the query.
  const given = names.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])]]))
  const filter: Filter<Name> = Object.fromEntries(given)
  function set(name: Name, value: string) {
    const query = new URLSearchParams(setFilter(filter, name, value) as Record<string, string>)
    void router.navigate({ href: [router.state.location.pathname, query].filter(String).join('?'), replace: true })
  }
  return [filter, set] as const
}
