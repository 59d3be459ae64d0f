import { parse } from 'node:querystring'

/**
 * The parameters of a form or query; undefined when one is unknown, empty or repeated. The length of the request limits their number:
 * by default Node.js leaves out those after the first thousand, and so one that has to be passed on.
 */
export function parseForm<Name extends string>(
  text: string,
  names: readonly Name[],
): Partial<Record<Name, string>> | undefined {
  const form = parse(text, '&', '=', { maxKeys: 0 })
  for (const name in form) {
    if (!(names as readonly string[]).includes(name) || typeof form[name] !== 'string' || !form[name]) return undefined
  }
  return form as Partial<Record<Name, string>>
}
