import { type ParsedUrlQuery, parse } from 'node:querystring'

/**
 * All parameters of a form or query. Node.js leaves out those after the first thousand by default, empty ones counted, and so a parameter
 * that has to be passed on. The length of the request limits their number.
 */
export function parseAll(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 })
}
