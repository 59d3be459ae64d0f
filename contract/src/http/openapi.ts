import { z } from 'zod'
import { DEVELOPER_HEADER, LEVELS, type Level } from '../levels.ts'
import { roleNeeded } from '../operator-roles.ts'
import { ROUTES } from '../routes.ts'
import { wholeListQuery } from './fields.ts'
import { CLIENT_FIELD_CODES, FIELD_CODES, PICTURE_FIELD_CODES, PROBLEMS, type ProblemCode } from './problem.ts'
import { RATE_LIMITS } from './rate-limits.ts'
import { problemsOf, type Route } from './route.ts'

type Json = Record<string, unknown>

/**
 * The API as an OpenAPI 3.1 document, generated from the schemas that validate requests (api §1). `accessCookie`: the name of the access
 * cookie at this server.
 */
export function openapi(server: string, version: string, accessCookie: string): Json {
  const paths: Record<string, Json> = {}
  for (const [name, route] of ROUTES) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(name, route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vrata API',
      version,
      description:
        'The account and developer API of Vrata. A session is two HttpOnly cookies; a 401 asks for `PUT /auth/refresh` and a retry.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${server}/v1` }],
    paths,
    components: {
      securitySchemes: { access: { type: 'apiKey', in: 'cookie', name: accessCookie } },
      schemas: { Problem: PROBLEM_SCHEMA },
    },
  }
}

/** The access rule of a route as a sentence. */
export function needsInWords(route: Route): string {
  if (route.needs === 'anywhere') return 'Open to anybody, from any site.'
  if (route.needs === 'nobody') return 'No session needed; own pages only.'
  const fresh = route.fresh ? ' A sign-in or reauthentication of the last 10 minutes.' : ''
  if (route.needs === 'session') return `A session.${fresh}`
  const role = roleNeeded(route.needs)
  if (role) return `A session of an operator with at least the role \`${role}\` and a second factor or passkey.${fresh}`
  return `A session that has at least the level \`${route.needs}\` in the developer account.${fresh}`
}

/** The rate limit of the route's class; empty for routes without one. */
function limitInWords(route: Route): string {
  if (!route.limit) return ''
  const { points, duration, per } = RATE_LIMITS[route.limit]
  const minutes = duration / 60
  return `At most ${points} calls in ${minutes === 1 ? 'a minute' : `${minutes} minutes`} from one ${per}.`
}

function operation(name: string, route: Route): Json {
  const [tag = ''] = name.split('.')
  const parameters = [
    ...parametersOf(route.params, 'path'),
    ...parametersOf(route.query, 'query'),
    ...(isWholeList(route) && route.method === 'GET' ? parametersOf(wholeListQuery, 'query') : []),
    ...(isLevel(route.needs) ? [DEVELOPER_PARAMETER] : []),
  ]
  const open = route.needs === 'anywhere' || route.needs === 'nobody'
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    description: [needsInWords(route), limitInWords(route)].filter(Boolean).join(' '),
    security: open ? [] : [{ access: [] }],
    ...(parameters.length ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            // The server reads an absent body as an empty object.
            required: !route.body.safeParse({}).success,
            content: inTypes(route, { schema: schemaOf(route.body.strict(), 'input') }),
          },
        }
      : {}),
    ...(route.multipart
      ? {
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: [route.multipart],
                  properties: { [route.multipart]: { type: 'string', contentMediaType: 'application/octet-stream' } },
                },
              },
            },
          },
        }
      : {}),
    responses: { [String(route.status ?? 200)]: success(route), ...failures(route) },
  }
}

/** Calls that need a level act in one developer account. */
const DEVELOPER_PARAMETER: Json = {
  name: DEVELOPER_HEADER,
  in: 'header',
  required: false,
  description: "The developer account to act in, in place of the session's current one.",
  schema: { type: 'string' },
}

/** Whether the rule returns the list without pages. */
function isWholeList(route: Route): boolean {
  return !route.page && route.data instanceof z.ZodArray
}

function isLevel(needs: Route['needs']): needs is Level {
  return (LEVELS as readonly string[]).includes(needs)
}

function success(route: Route): Json {
  if (route.file) {
    const types = [route.file, ...(route.other_file_types ?? [])]
    return { description: 'The file.', content: Object.fromEntries(types.map((type) => [type, {}])) }
  }
  const data = schemaOf(route.data, 'output')
  const properties: Json = { status: { const: 'success' }, data }
  if (route.page || isWholeList(route)) properties.next_cursor = { type: ['string', 'null'] }
  return {
    description: 'Success.',
    content: {
      'application/json': { schema: { type: 'object', required: ['status', 'data'], properties } },
      ...(route.document ? { 'application/yaml': { schema: data } } : {}),
    },
  }
}

/** The media types in which a body is accepted. */
function inTypes({ document }: Route, content: Json): Json {
  return { 'application/json': content, ...(document ? { 'application/yaml': content } : {}) }
}

function failures(route: Route): Json {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of problemsOf(route)) byStatus.set(PROBLEMS[code], [...(byStatus.get(PROBLEMS[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function parametersOf(schema: Route['params'], place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const json = schemaOf(schema, 'input')
  const required = (json.required as string[] | undefined) ?? []
  return Object.entries((json.properties as Json) ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: describeTuple }) as Json
  return json
}

/** Describes a tuple of equal items as an array of that length, because some tools do not read `prefixItems`. */
function describeTuple({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems } = jsonSchema
  if (!prefixItems) return
  const [items] = prefixItems
  if (prefixItems.some((item) => JSON.stringify(item) !== JSON.stringify(items)))
    throw new Error('The items of a tuple must be equal.')
  delete jsonSchema.prefixItems
  Object.assign(jsonSchema, { items, minItems: prefixItems.length, maxItems: prefixItems.length })
}

const PROBLEM_SCHEMA: Json = {
  type: 'object',
  required: ['status', 'error'],
  properties: {
    status: { const: 'error' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { enum: Object.keys(PROBLEMS) },
        message: { type: 'string', description: 'English, for a developer.' },
        fields: {
          type: 'object',
          description: 'Path of a field → what is wrong with it.',
          additionalProperties: { enum: [...FIELD_CODES, ...PICTURE_FIELD_CODES, ...CLIENT_FIELD_CODES] },
        },
        params: { type: 'object', description: 'Figures for the sentence.' },
        request_id: { type: 'string' },
      },
    },
  },
}
