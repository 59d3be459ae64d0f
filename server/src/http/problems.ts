import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { DEFAULT_LOCALE, type FieldCode, Problem, type ProblemBody, type ProblemCode, problem } from '@vrata/contract'
import { problemKey, translator } from '@vrata/phrases'
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isUnavailable } from '../db/dialect.ts'

/** Converts any thrown value to a `Problem`; unknown errors become `internal`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isBodyCutOff(error)) return problem('request_timeout', { cause: error })
  if (isUnavailable(error)) return problem('unavailable', { retry_after: 2, cause: error })
  const status = (error as FastifyError | undefined)?.statusCode
  const code = status === undefined ? undefined : OF_FASTIFY[status]
  if (code && (error as FastifyError).code?.startsWith('FST_')) {
    return problem(code, { message: (error as Error).message, cause: error })
  }
  return problem('internal', { message: 'Something went wrong on our side.', cause: error })
}

/** Whether the client has disconnected while it sent the body. A lost connection to the database has the same code, but no status of Fastify. */
function isBodyCutOff(error: unknown): boolean {
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  return code === 'ECONNRESET' && statusCode === 400
}

const OF_FASTIFY: Record<number, ProblemCode> = {
  400: 'invalid_request',
  413: 'payload_too_large',
  414: 'invalid_request',
  415: 'unsupported_media_type',
}

/** Sends a problem as the error envelope of `/v1` (architecture §6.1). */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, failure: Problem): FastifyReply {
  const error: ProblemBody = {
    code: failure.code,
    message: sentenceOf(failure),
    ...(failure.fields ? { fields: failure.fields } : {}),
    ...(failure.params ? { params: failure.params } : {}),
    request_id: request.id,
  }
  // Removes the headers of a file that could not be read.
  reply.removeHeader('content-disposition').type('application/json; charset=utf-8')
  return failedReply(request, reply, failure).send({ status: 'error', error })
}

/** Sets the status and the headers that every error has, whatever its body is, and logs an error of the server. */
export function failedReply(request: FastifyRequest, reply: FastifyReply, failure: Problem): FastifyReply {
  const { code, status, retry_after } = failure
  request.problem = code
  if (status >= 500) request.log.error({ err: failure.cause ?? failure }, code)
  if (retry_after !== undefined) reply.header('retry-after', String(Math.ceil(retry_after)))
  return reply.code(status).header('cache-control', 'no-store')
}

/** The message of the rule, else a general sentence for the code (product §8). */
function sentenceOf({ code, message, params }: Problem): string {
  return message === code.replaceAll('_', ' ') ? translator(DEFAULT_LOCALE)(problemKey(code), params) : message
}

/** Says where a path is in the text that was sent, as `line 3, column 5`; undefined where that is not known. */
export type PositionOf = (path: readonly PropertyKey[]) => string | undefined

/**
 * Converts schema issues, with their input (`reportInput`), to `fields`: path → code of the first issue of the field. With `place` the message
 * says where they are.
 */
export function invalidRequest(issues: readonly z.core.$ZodIssue[], place?: PositionOf): Problem {
  const fields: Record<string, FieldCode> = {}
  const places: string[] = []
  const note = (path: readonly PropertyKey[], code: FieldCode) => {
    const name = path.join('.') || 'body'
    const where = fields[name] === undefined && place?.(path)
    if (where) places.push(`${name} (${where})`)
    fields[name] ??= code
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) note([...issue.path, key], 'unknown')
    else note(issue.path, fieldCode(issue))
  }
  const named = places.length > 0 ? `: ${places.slice(0, PLACES).join(', ')}` : ''
  return problem('invalid_request', { message: `Some fields are not as they must be${named}.`, fields })
}

/** Places that a message names at most. */
const PLACES = 20

function fieldCode(issue: z.core.$ZodIssue): FieldCode {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return issue.input === undefined ? 'required' : 'invalid'
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'required'
      return issue.origin === 'number' ? 'too_small' : 'too_short'
    case 'too_big':
      return issue.origin === 'number' ? 'too_big' : 'too_long'
    case 'invalid_format':
      return issue.message === 'invalid_email' ? 'invalid_email' : 'invalid'
    case 'custom':
      return (issue.message as FieldCode) || 'invalid'
    default:
      return 'invalid'
  }
}

/** Error handler: every error is sent as a problem without internal details (security §16.5.1). */
export function mountLastResort(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error)))
}

/** Answers a request that Node cannot parse, or that is sent too slowly, for example with headers of more than 16 KB. */
export function answerMalformed(headers: Record<string, string>) {
  return (error: ConnectionError, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    closeWithProblem(socket, OF_NODE[error.code] ?? 'invalid_request', headers)
  }
}

const OF_NODE: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Milliseconds for the client to close the connection. */
const LINGER = 1000

/** Writes a problem to the socket, where no hook and no handler runs, and closes the connection. */
export function closeWithProblem(socket: Socket, code: ProblemCode, headers: Record<string, string>): void {
  const { status } = problem(code)
  const message = translator(DEFAULT_LOCALE)(problemKey(code))
  const body = JSON.stringify({ status: 'error', error: { code, message, request_id: randomUUID() } })
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json; charset=utf-8',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER).unref()
}

/**
 * Answers unknown addresses with 404, or 405 when only the method is wrong (security §4.1.4), before the body is read.
 * Mounted at the root, so that handlers can use it with `callNotFound`, too.
 */
export function mountProblems(app: FastifyInstance, methodsOf: (path: string) => string[]): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(request.url.split('?')[0] ?? '')
    if (methods.length === 0) return sendProblem(request, reply, problem('not_found', { message: 'No such call.' }))
    reply.header('allow', methods.join(', '))
    return sendProblem(request, reply, problem('method_not_allowed'))
  }
  app.setNotFoundHandler(answer)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply)
    else done()
  })
}
