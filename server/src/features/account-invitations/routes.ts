import { accountInvitations } from '@vrata/contract'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import {
  acceptPasskeyOptions,
  acceptWithPasskey,
  acceptWithPassword,
  checkAccountInvitation,
} from './accept-invitation.ts'

/** The link by which a person takes over the account that an operator has created for them (operators §6). */
export const routes: RouteHandler[] = [
  serve(accountInvitations.checkAccountInvitation, checkAccountInvitation),
  serveOpen(accountInvitations.acceptWithPassword, acceptWithPassword),
  serve(accountInvitations.acceptPasskeyOptions, acceptPasskeyOptions),
  serveOpen(accountInvitations.acceptWithPasskey, acceptWithPasskey),
]

/** The form of the page for browsers without script. */
export const forms: ServedForm[] = [
  {
    path: '/accept-account/:token',
    served: serveOpen(accountInvitations.acceptWithPassword, acceptWithPassword),
    next: () => '/',
  },
]
