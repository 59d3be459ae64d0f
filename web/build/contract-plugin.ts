import { readFile, stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { isRoute, type Route } from '@vrata/contract'
import type { Plugin } from 'vite'
import { z } from 'zod'
import type { Constraints } from '../src/lib/api/constraints.ts'
import { isPlain } from './is-plain.ts'

const FILE = /[\\/]contract[\\/]src[\\/](?:[a-z]+[\\/])?[a-z-]+\.ts$/

/**
 * Replaces each call of the contract by `{ method, path, needs, input: { field: native constraints } }` for the
 * browser, so that zod stays on the server (architecture §3.5). Only files that import zod are changed; their other
 * plain values are kept.
 */
export function contract(): Plugin {
  return {
    name: 'vrata:contract',
    enforce: 'pre',
    async load(id) {
      if (!FILE.test(id) || !(await readFile(id, 'utf8')).includes("from 'zod'")) return null
      const version = Math.round((await stat(id)).mtimeMs)
      const file = (await import(`${pathToFileURL(id).href}?v=${version}`)) as Record<string, unknown>
      // Files that only use types of zod are code and stay as they are.
      if (!Object.values(file).some((value) => isRoute(value) || value instanceof z.ZodType)) return null
      const facts = Object.entries(file).flatMap(([name, value]) => {
        if (isRoute(value)) return [[name, routeData(value)] as const]
        return isPlain(value) ? [[name, value] as const] : []
      })
      const code = facts.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
      return { code, moduleType: 'js', map: null }
    },
  }
}

/** The part of a route that the browser needs. */
export function routeData(route: Route) {
  const input: Record<string, Constraints> = {}
  for (const schema of [route.params, route.query, route.body]) {
    for (const [field, constraints] of Object.entries(schema ? constraintsOf(schema) : {})) {
      if (Object.keys(constraints).length) input[field] = constraints
    }
  }
  return {
    method: route.method,
    path: route.path,
    needs: route.needs,
    ...(route.fresh ? { fresh: true } : {}),
    ...(route.unapproved ? { unapproved: true } : {}),
    // A DELETE sends its input in the query unless it has a body.
    ...(route.method === 'DELETE' && route.body ? { body: true } : {}),
    ...(Object.keys(input).length ? { input } : {}),
  }
}

type Json = {
  type?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  anyOf?: Json[]
  items?: Json
}

function constraintsOf(schema: z.ZodObject): Record<string, Constraints> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.fromEntries(
    Object.entries(json.properties ?? {}).map(([name, field]) => [
      name,
      native(field, !!json.required?.includes(name)),
    ]),
  )
}

function native(given: Json, required: boolean): Constraints {
  // `nullable`: an empty input means null, so the constraints of the non-null type apply.
  const field = given.anyOf?.find(({ type }) => type !== 'null') ?? given
  const mustBeFilled = required && (field.type !== 'string' || (field.minLength ?? 0) > 0 || !!field.format)
  const pattern = field.format ? undefined : htmlPattern(field.pattern)
  return {
    ...(mustBeFilled && field.type !== 'boolean' ? { required: true } : {}),
    ...(field.minLength && field.minLength > 1 ? { minLength: field.minLength } : {}),
    ...(field.maxLength ? { maxLength: field.maxLength } : {}),
    ...(field.type === 'integer' || field.type === 'number' ? bounds(field) : {}),
    ...(pattern ? { pattern } : {}),
    ...typeOf(field.format),
  }
}

function bounds({ minimum, maximum }: Json): Constraints {
  return {
    type: 'number',
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { max: maximum }),
  }
}

function typeOf(format: string | undefined): Pick<Constraints, 'type'> {
  if (format === 'idn-email') return { type: 'email' }
  if (format === 'uri') return { type: 'url' }
  if (format === 'date') return { type: 'date' }
  return {}
}

/**
 * A regular expression for `<input pattern>`, which is anchored and compiled with the flag `v`. Patterns that do not
 * compile, or that only exclude control characters, are left to the server.
 */
function htmlPattern(pattern: string | undefined): string | undefined {
  if (!pattern || /\\u00|\\x00/.test(pattern)) return undefined
  // The flag `v` requires a hyphen at the end of a class to be escaped.
  const escaped = pattern.replaceAll(/(?<!\\)-\]/g, '\\-]')
  try {
    new RegExp(`^(?:${escaped})$`, 'v')
    return escaped
  } catch {
    return undefined
  }
}
