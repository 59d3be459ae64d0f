import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { userInfo } from './account.ts'
import { creationOptions, newPasskey } from './passkeys.ts'

/** Calls of mailed links that sign in: to an account that an operator has created, and to one that has lost its passkeys (operators §7, §9). */
const link = { needs: 'nobody', params: z.object({ token: z.string().min(1).max(200) }) } as const

const firstPasskey = z.object({ name: f.line(LIMITS.passkey_name_max, 1), response: newPasskey })

export const checkAccountInvitation = route('GET', '/auth/accept-account/:token', {
  ...link,
  summary: 'Describe the account of an invitation. Consumes nothing.',
  data: z.object({ email: z.string(), first_name: z.string(), last_name: z.string() }),
  problems: ['invalid_token'],
})

export const acceptWithPassword = route('POST', '/auth/accept-account/:token', {
  ...link,
  summary: 'Set the first password of the account of an invitation, confirm its address and sign in.',
  limit: 'costly',
  body: z.object({ password: f.newPassword }),
  data: userInfo,
  problems: [
    'invalid_token',
    'password_too_short',
    'password_breached',
    'password_is_email',
    'password_guessable',
    'sign_in_method_off',
  ],
})

export const acceptPasskeyOptions = route('POST', '/auth/accept-account/:token/passkey-options', {
  ...link,
  summary: 'Create WebAuthn creation options for the first passkey of the account of an invitation.',
  data: creationOptions,
  problems: ['invalid_token', 'sign_in_method_off'],
})

export const acceptWithPasskey = route('POST', '/auth/accept-account/:token/passkey', {
  ...link,
  summary: 'Register the first passkey of the account of an invitation, confirm its address and sign in.',
  body: firstPasskey,
  data: userInfo,
  problems: ['invalid_token', 'invalid_passkey', 'passkey_exists', 'sign_in_method_off'],
})

export const checkPasskeyLink = route('GET', '/auth/new-passkey/:token', {
  ...link,
  summary: 'Describe the account of a link that sets up a new passkey. Consumes nothing.',
  data: z.object({ email: z.string() }),
  problems: ['invalid_token'],
})

export const passkeyLinkOptions = route('POST', '/auth/new-passkey/:token/options', {
  ...link,
  summary: 'Create WebAuthn creation options for the passkey of a link.',
  data: creationOptions,
  problems: ['invalid_token', 'sign_in_method_off'],
})

export const addPasskeyByLink = route('POST', '/auth/new-passkey/:token', {
  ...link,
  summary: 'Register the passkey of a link, for a person who has no other way to sign in, and sign in.',
  body: firstPasskey,
  data: userInfo,
  problems: ['unauthenticated', 'invalid_token', 'invalid_passkey', 'passkey_exists', 'sign_in_method_off'],
})
