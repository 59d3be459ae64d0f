/** Joins class names and skips falsy ones: `classes('row', active && 'row-active')`. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
