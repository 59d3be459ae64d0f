import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** Members that only a private or secret key has (RFC 7518 §6). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const CURVES: Record<string, readonly string[]> = { EC: ['P-256', 'P-384', 'P-521'], OKP: ['Ed25519'] }
const NEEDED: Record<string, readonly string[]> = { RSA: ['n', 'e'], EC: ['x', 'y'], OKP: ['x'] }
/** Bits of an RSA modulus (RFC 7518 §3.3). */
const RSA_MIN = 2048

/** One public key that signs (RFC 7517 §4). Members that we do not know are kept: they are the app's own. */
const publicKey = z
  .looseObject({
    kty: z.enum(['RSA', 'EC', 'OKP']),
    kid: z.string().max(200).optional(),
    use: z.enum(['sig']).optional(),
    alg: z.string().max(20).optional(),
  })
  .superRefine((key, ctx) => {
    const refuse = (message: string) => ctx.addIssue({ code: 'custom', message, input: key })
    // Whoever sends one has shown it to us: it must be made anew, and we do not keep it.
    if (PRIVATE.some((member) => member in key)) return refuse('private_key')
    const parts = (NEEDED[key.kty] ?? []).map((member) => key[member])
    if (!parts.every((part) => typeof part === 'string' && /^[\w-]+$/.test(part))) return refuse('invalid')
    if (key.kty === 'RSA' && (String(key.n).length * 3) / 4 < RSA_MIN / 8) return refuse('weak_key')
    const curves = CURVES[key.kty]
    if (curves && !curves.includes(String(key.crv))) refuse('invalid')
  })

/** The public keys of an app, by which it proves who it is (RFC 7517 §5, RFC 7523). */
export const jwks = z.object({ keys: z.array(publicKey).min(1).max(LIMITS.keys_per_client) })
export type Jwks = z.output<typeof jwks>
