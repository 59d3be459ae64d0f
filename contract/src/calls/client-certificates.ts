import { z } from 'zod'
import { parseDistinguishedName } from '../http/distinguished-name.ts'
import * as f from '../http/fields.ts'

/** Client authentication with a TLS client certificate (RFC 8705 §2). */
export const TLS_AUTH_METHODS = ['tls_client_auth', 'self_signed_tls_client_auth'] as const
/** Longest name in a certificate; subjects have a few attributes of at most 64 characters each (RFC 5280 appendix A). */
const SUBJECT_MAX = 500

const subject = (matches: (value: string) => boolean) => f.line(SUBJECT_MAX, 1).refine(matches, 'invalid').nullable()

/**
 * Names that the certificate of `tls_client_auth` may have; a client registers exactly one (RFC 8705 §2.1.2). Null where
 * another one is used.
 */
export const tlsSubjects = z.object({
  /** Subject as a string of RFC 4514, such as `CN=client,O=Example,C=SI`. */
  tls_client_auth_subject_dn: subject((value) => parseDistinguishedName(value) !== undefined),
  tls_client_auth_san_dns: subject((value) => /^(?!\.)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value)),
  tls_client_auth_san_uri: subject((value) => URL.canParse(value)),
  tls_client_auth_san_ip: z.union([z.ipv4(), z.ipv6()], 'invalid').nullable(),
  tls_client_auth_san_email: subject((value) => /^[^@\s]+@[^@\s]+$/.test(value)),
})
export type TlsSubject = keyof z.output<typeof tlsSubjects>
export const TLS_SUBJECTS = Object.keys(tlsSubjects.shape) as TlsSubject[]
