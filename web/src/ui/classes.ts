/** Joins class names, leaving out what is switched off: `classes('row', active && 'row-active')`. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
