import { z } from 'zod'
import { LIMITS } from '../limits.ts'

/** Members of private and secret keys (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const CURVES: Record<string, readonly string[]> = { EC: ['P-256', 'P-384', 'P-521'], OKP: ['Ed25519'] }
const REQUIRED_MEMBERS: Record<string, readonly string[]> = { RSA: ['n', 'e'], EC: ['x', 'y'], OKP: ['x'] }
/** Minimum bits of an RSA modulus (RFC 7518 §3.3). */
const RSA_MIN = 2048

/** A public key (RFC 7517 §4). Unknown members are kept, and keys for encryption, which are not used: libraries publish both in one set. */
const publicKey = z
  .looseObject({
    kty: z.enum(['RSA', 'EC', 'OKP']),
    kid: z.string().max(200).optional(),
    use: z.enum(['sig', 'enc']).optional(),
    alg: z.string().max(20).optional(),
  })
  .superRefine((key, ctx) => {
    const refuse = (message: string) => ctx.addIssue({ code: 'custom', message, input: key })
    // A private key that was sent to the server is compromised; it is rejected, so that the developer creates a new one.
    if (PRIVATE_MEMBERS.some((member) => member in key)) return refuse('private_key')
    if (key.use === 'enc') return
    const parts = (REQUIRED_MEMBERS[key.kty] ?? []).map((member) => key[member])
    if (!parts.every((part) => typeof part === 'string' && /^[\w-]+$/.test(part))) return refuse('invalid')
    if (key.kty === 'RSA' && (String(key.n).length * 3) / 4 < RSA_MIN / 8) return refuse('weak_key')
    const curves = CURVES[key.kty]
    if (curves && !curves.includes(String(key.crv))) refuse('invalid')
  })

/** Public keys for client authentication (RFC 7517 §5, RFC 7523). */
export const jwks = z.object({
  keys: z
    .array(publicKey)
    .min(1)
    .max(LIMITS.keys_per_client)
    .refine((keys) => keys.some(({ use }) => use !== 'enc'), 'invalid'),
})
