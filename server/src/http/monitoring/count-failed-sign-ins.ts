import { type ProblemCode, signIn } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'

const CALLS = new Set<unknown>([signIn.login, signIn.loginOtp, signIn.passkeyLogin])
/** Problems of a failed authentication. */
const REJECTED = new Set<ProblemCode>(['invalid_credentials', 'invalid_otp', 'invalid_passkey'])

/** Reports each sign-in that was rejected because of a wrong password, code or passkey. */
export function countFailedSignIns(app: FastifyInstance, counter: { failed(): void }): void {
  app.addHook('onResponse', (request, _, done) => {
    if (CALLS.has(request.call) && REJECTED.has(request.problem as ProblemCode)) counter.failed()
    done()
  })
}
