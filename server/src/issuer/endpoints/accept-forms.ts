import { isUtf8 } from 'node:buffer'
import { type Problem, problem } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'

/** The longest form, in bytes. oidc-provider refuses longer ones with 400. */
export const FORM_BYTES = 56 * 1024

/** Node.js and so oidc-provider leave out the parameters after these, and with them a repeated one (RFC 6749 §3.2). */
const MOST_PARAMETERS = 1000

/** The endpoints of this scope take forms and no other bodies. The body of a request is the text of its form. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: FORM_BYTES } as const
  app.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', options, (request, body, done) => {
    const { 'content-encoding': encoding } = request.headers
    if (encoding !== undefined && encoding !== 'identity') return done(notAForm())
    // The type has no charset parameter: a form is UTF-8 whatever a client says (RFC 6749 appendix B).
    if (!isUtf8(body)) return done(problem('invalid_request', { message: 'the form is not UTF-8' }))
    const text = body.toString()
    if (text.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
      return done(problem('invalid_request', { message: 'the form has too many parameters' }))
    done(null, text)
  })
  app.addContentTypeParser('*', (_, __, done) => done(notAForm()))
}

function notAForm(): Problem {
  return problem('unsupported_media_type', { message: 'the body must be application/x-www-form-urlencoded' })
}
