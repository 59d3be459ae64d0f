import { z } from 'zod'
import { userInfo } from './account.ts'
import * as f from './fields.ts'
import { route } from './route.ts'

/** `seen`: opened on a phone, which now asks its person. */
export const QR_STATES = ['pending', 'seen', 'approved', 'denied', 'expired'] as const
export type QrState = (typeof QR_STATES)[number]

const code = z.string().max(100)

export const drawQrCode = route('GET', '/auth/qr-code', {
  summary: 'A code that a signed-in phone may approve, to sign this browser in. Good for 120 seconds, in this browser.',
  needs: 'nobody',
  data: z.object({
    code: z.string(),
    url: z.string(),
    expires_at: f.time,
    match: z.string().meta({ description: 'two digits, shown to whoever sits here and typed on the phone' }),
    qr_code: z.string().meta({ description: 'the url as an SVG data URL' }),
  }),
  // Switched off by the operator.
  problems: ['not_found'],
})

/** What asks to be signed in. */
export const qrRequester = z.object({
  os: z.string().nullable(),
  browser: z.string().nullable(),
  location: z.string().nullable(),
  ip: z.string(),
})
export type QrRequester = z.output<typeof qrRequester>

export const readQrCode = route('GET', '/auth/qr-code/:code', {
  summary:
    'In the browser that shows the code: how it stands; the first answer after approval signs it in. On a signed-in phone: who is asking.',
  needs: 'nobody',
  params: z.object({ code }),
  data: z.object({
    state: z.enum(QR_STATES),
    /** On the phone. */
    requester: qrRequester.optional(),
    created_at: f.time.optional(),
    expires_at: f.time.optional(),
    /** In the browser that has just been signed in. */
    user: userInfo.optional(),
  }),
  problems: ['unauthenticated', 'not_found', 'qr_sign_in_off', 'account_disabled'],
})

export const answerQrCode = route('POST', '/auth/qr-code/:code', {
  summary: 'Approve or deny on a signed-in phone, once. Approving takes the number that the other screen shows.',
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
  // Only approving needs a fresh sign-in: whoever wants to say no must not be kept from it. So the rule asks.
  problems: ['wrong_match', 'expired_code', 'qr_sign_in_off', 'reauthentication_required'],
})
