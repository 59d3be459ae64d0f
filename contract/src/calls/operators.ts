import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { OPERATOR_ROLES } from '../operator-roles.ts'

const role = z.enum(OPERATOR_ROLES)

export const operator = z.object({
  user: z.object({
    id: f.id,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    profile_picture: f.picture,
  }),
  role,
  added_at: f.time,
  /** Whether the account has a second factor or a passkey; without one the role cannot be used. */
  second_factor: z.boolean(),
})
export type OperatorInfo = z.output<typeof operator>

const userParams = z.object({ user_id: f.id })

/** The role on which the decision rests: 409 `already_decided` when it is another by now, unless that is the same decision. */
const seen_role = role.optional()

export const listOperators = route('GET', '/admin/operators', {
  summary: 'List the operators of the installation, the highest role first.',
  needs: 'operator:auditor',
  data: z.array(operator),
})

export const addOperator = route('POST', '/admin/operators', {
  summary: 'Give a role to the account that has the confirmed address.',
  needs: 'operator:admin',
  fresh: true,
  status: 201,
  body: z.object({ email: f.email, role }),
  data: operator,
  problems: ['already_operator'],
})

export const changeOperator = route('PUT', '/admin/operators/:user_id', {
  summary: 'Change the role of an operator. The last admin stays one.',
  needs: 'operator:admin',
  fresh: true,
  params: userParams,
  body: z.object({ role, seen_role }),
  data: operator,
  problems: ['last_operator', 'already_decided'],
})

export const removeOperator = route('DELETE', '/admin/operators/:user_id', {
  summary: 'Take the role from an operator. The last admin stays one.',
  needs: 'operator:admin',
  fresh: true,
  params: userParams,
  query: z.object({ seen_role }),
  data: f.nothing,
  problems: ['last_operator', 'already_decided'],
})

const tokenParams = z.object({ token: z.string().min(1).max(200) })

export const checkSetupLink = route('GET', '/admin/setup/:token', {
  summary: 'Tell whether the link that a new installation prints is valid, without consuming it.',
  needs: 'nobody',
  params: tokenParams,
  data: z.object({ expires_at: f.time }),
  problems: ['invalid_token'],
})

export const completeSetup = route('POST', '/admin/setup/:token', {
  summary:
    'Become the first operator of the installation, with the role `admin`. Needs a confirmed address and a second factor or passkey. Works once, while there is no operator.',
  needs: 'session',
  fresh: true,
  params: tokenParams,
  data: operator,
  problems: ['invalid_token', 'email_not_verified', 'second_factor_required'],
})

/** `open`: begun with the setup link, and neither finished nor dismissed. Without such a beginning: `finished`. */
export const SETUP_STATES = ['open', 'finished', 'dismissed'] as const

export const setup = z.object({
  state: z.enum(SETUP_STATES),
  /** The address that links in mails and apps have (`VRATA_URL`). */
  public_url: z.string(),
  /** Whether mails are sent; otherwise they are kept in files of the server (`VRATA_SMTP_URL`). */
  mail_server: z.boolean(),
})

export const getSetup = route('GET', '/admin/setup', {
  summary: 'Get whether setting up the installation is finished, and what it has to check.',
  needs: 'operator:auditor',
  data: setup,
})

export const updateSetup = route('PUT', '/admin/setup', {
  summary: 'Finish setting up, dismiss the reminder of it, or take it up again.',
  needs: 'operator:admin',
  fresh: true,
  body: z.object({ state: z.enum(SETUP_STATES) }),
  data: setup,
})
