import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { userInfo } from './account.ts'

/** `seen`: a signed-in user has opened the code on a phone. */
export const QR_STATES = ['pending', 'seen', 'approved', 'denied', 'expired'] as const

const code = z.string().max(100)

export const createQrCode = route('GET', '/auth/qr-code', {
  summary:
    'Create a code that a signed-in phone approves to sign this browser in. Valid for 120 seconds in this browser.',
  needs: 'nobody',
  limit: 'write',
  data: z.object({
    code: z.string(),
    url: z.string(),
    expires_at: f.time,
    match: z.string().meta({ description: 'two digits, shown in this browser and entered on the phone' }),
    qr_code: z.string().meta({ description: 'the url as an SVG data URL' }),
  }),
  // QR sign-in is turned off by configuration.
  problems: ['not_found'],
})

/** The browser that requests the sign-in. */
export const qrRequester = z.object({
  os: z.string().nullable(),
  browser: z.string().nullable(),
  location: z.string().nullable(),
  ip: z.string(),
})
export type QrRequester = z.output<typeof qrRequester>

export const getQrCode = route('GET', '/auth/qr-code/:code', {
  summary:
    'In the browser that shows the code: return its state; the first answer after approval signs in. On a signed-in phone: return the requester.',
  needs: 'nobody',
  params: z.object({ code }),
  data: z.object({
    state: z.enum(QR_STATES),
    /** On the phone. */
    requester: qrRequester.optional(),
    created_at: f.time.optional(),
    expires_at: f.time.optional(),
    /** In the browser that this answer signs in. */
    user: userInfo.optional(),
  }),
  problems: ['unauthenticated', 'not_found', 'qr_sign_in_off', 'account_disabled'],
})

export const answerQrCode = route('POST', '/auth/qr-code/:code', {
  summary: 'Approve or deny a code on a signed-in phone, once. Approval needs the number that the other screen shows.',
  needs: 'session',
  params: z.object({ code }),
  body: z.object({
    approve: z.boolean(),
    match: z
      .string()
      .regex(/^\d{2}$/, 'invalid')
      .optional(),
  }),
  data: z.object({ state: z.enum(QR_STATES) }),
  // The rule checks for a fresh sign-in, because only approving needs one.
  problems: ['wrong_match', 'expired_code', 'qr_sign_in_off', 'reauthentication_required'],
})
