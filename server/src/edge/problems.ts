import { DEFAULT_LOCALE, type FieldCode, Problem, type ProblemBody, type ProblemCode, problem } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isUnavailable } from '../db/dialect.ts'

/** The one place where anything thrown becomes a `Problem`. What is not recognised is our fault: `internal`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error)) return problem('unavailable', { retry_after: 2, cause: error })
  const status = (error as FastifyError | undefined)?.statusCode
  const code = status === undefined ? undefined : OF_FASTIFY[status]
  if (code && (error as FastifyError).code?.startsWith('FST_')) {
    return problem(code, { message: (error as Error).message, cause: error })
  }
  return problem('internal', { message: 'Something went wrong on our side.', cause: error })
}

const OF_FASTIFY: Record<number, ProblemCode> = {
  400: 'invalid_request',
  413: 'payload_too_large',
  414: 'invalid_request',
  415: 'unsupported_media_type',
}

/** The one writer of failures of `/v1` (house.md §7). */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, failure: Problem): FastifyReply {
  if (failure.status >= 500) request.log.error({ err: failure.cause ?? failure }, failure.code)
  const error: ProblemBody = {
    code: failure.code,
    message: sentenceOf(failure),
    ...(failure.fields ? { fields: failure.fields } : {}),
    ...(failure.params ? { params: failure.params } : {}),
    request_id: request.id,
  }
  if (failure.retry_after !== undefined) reply.header('retry-after', String(Math.ceil(failure.retry_after)))
  return reply.code(failure.status).header('cache-control', 'no-store').send({ status: 'error', error })
}

/** What the rule said, else the sentence of the specification §8 or one of its kind: the code alone tells nothing new. */
function sentenceOf({ code, message }: Problem): string {
  return message === code.replaceAll('_', ' ') ? translator(DEFAULT_LOCALE)(`problems.${code}`) : message
}

/** Turns a schema's complaints into `fields`: path → code, the first complaint of each field. */
export function invalidRequest(issues: readonly z.core.$ZodIssue[]): Problem {
  const fields: Record<string, FieldCode> = {}
  const note = (path: string, code: FieldCode) => {
    fields[path] ??= code
  }
  for (const issue of issues) {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) note([...issue.path, key].join('.'), 'unknown')
    } else note(path || 'body', fieldCode(issue))
  }
  return problem('invalid_request', { message: 'Some fields are not as they must be.', fields })
}

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

/** Whatever is thrown anywhere in the house leaves as a problem and tells nothing of our insides (ASVS 16.5.1). */
export function mountLastResort(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error)))
}

/**
 * Everything that nobody answers, and no page is: 404, or 405 where only the method of a call is wrong (ASVS 4.1.4). It
 * hangs at the root, where also those end who find that there is nothing for this visitor.
 */
export function mountProblems(app: FastifyInstance, methodsOf: (path: string) => string[]): void {
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url.split('?')[0] ?? '')
    if (methods.length === 0) return sendProblem(request, reply, problem('not_found', { message: 'No such call.' }))
    reply.header('allow', methods.join(', '))
    return sendProblem(request, reply, problem('method_not_allowed'))
  })
}
