/** The filters of a list with one of them changed; an empty value, as `FilterSelect` gives it, removes the entry. */
export function setFilter<View extends object>(view: View, name: keyof View, value: string): View {
  const { [name]: _, ...others } = view
  return { ...others, ...(value && { [name]: value }) } as View
}
