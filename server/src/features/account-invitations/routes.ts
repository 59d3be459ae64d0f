import { accountInvitations } from '@vrata/contract'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import {
  acceptPasskeyOptions,
  acceptWithPasskey,
  acceptWithPassword,
  checkAccountInvitation,
} from './accept-invitation.ts'
import { addPasskeyByLink, checkPasskeyLink, passkeyLinkOptions } from './new-passkey.ts'

/** Mailed links that sign in: to an account that an operator has created, and to one that has lost its passkeys (operators §7, §9). */
export const routes: RouteHandler[] = [
  serve(accountInvitations.checkAccountInvitation, checkAccountInvitation),
  serveOpen(accountInvitations.acceptWithPassword, acceptWithPassword),
  serve(accountInvitations.acceptPasskeyOptions, acceptPasskeyOptions),
  serveOpen(accountInvitations.acceptWithPasskey, acceptWithPasskey),
  serve(accountInvitations.checkPasskeyLink, checkPasskeyLink),
  serve(accountInvitations.passkeyLinkOptions, passkeyLinkOptions),
  serveOpen(accountInvitations.addPasskeyByLink, addPasskeyByLink),
]

/** The form of the page for browsers without script. */
export const forms: ServedForm[] = [
  {
    path: '/accept-account/:token',
    served: serveOpen(accountInvitations.acceptWithPassword, acceptWithPassword),
    next: () => '/',
  },
]
