import { system } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { listSigningKeys, revokeSigningKey, rotateSigningKeys } from './keys.ts'
import { getMail, listMails, retryMail, sendTestMail } from './mails.ts'
import { getOverview, getWaitingApprovals } from './overview.ts'
import { testProxies } from './proxy-test.ts'
import { createRegistrationToken, deleteRegistrationToken, listRegistrationTokens } from './registration-tokens.ts'

/** The state of the installation, for operators (operators §2). */
export const routes: RouteHandler[] = [
  serveOpen(system.getOverview, getOverview),
  serve(system.getWaitingApprovals, getWaitingApprovals),
  serve(system.testProxies, testProxies),
  serve(system.listMails, listMails),
  serve(system.getMail, getMail),
  serve(system.sendTestMail, sendTestMail),
  serve(system.retryMail, retryMail),
  serve(system.listSigningKeys, listSigningKeys),
  serveOpen(system.rotateSigningKeys, rotateSigningKeys),
  serveOpen(system.revokeSigningKey, revokeSigningKey),
  serve(system.listRegistrationTokens, listRegistrationTokens),
  serve(system.createRegistrationToken, createRegistrationToken),
  serve(system.deleteRegistrationToken, deleteRegistrationToken),
]
