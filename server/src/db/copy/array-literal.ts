import type { Value } from './tables.ts'

/** Values as an array literal of PostgreSQL (manual, "Array Input and Output Syntax"). */
export function arrayLiteral(values: readonly Value[]): string {
  return `{${values.map(element).join(',')}}`
}

function element(value: Value): string {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`
}
