import { account } from './account.ts'
import { activity } from './activity.ts'
import { archive } from './archive.ts'
import { auth } from './auth.ts'
import { clients } from './clients.ts'
import { confirm } from './confirm.ts'
import { connections } from './connections.ts'
import { developers } from './developers.ts'
import { device } from './device.ts'
import { failed } from './failed.ts'
import { guide } from './guide.ts'
import { home } from './home.ts'
import { invitations } from './invitations.ts'
import { live } from './live.ts'
import { mail } from './mail.ts'
import { members } from './members.ts'
import { organization } from './organization.ts'
import { pictures } from './pictures.ts'
import { privacy } from './privacy.ts'
import { problems } from './problems.ts'
import { proof } from './proof.ts'
import { qr } from './qr.ts'
import { refusals } from './refusals.ts'
import { scopes } from './scopes.ts'
import { security } from './security.ts'
import { statistics } from './statistics.ts'
import { ui } from './ui.ts'
import { users } from './users.ts'

export const catalogue = {
  account,
  activity,
  archive,
  auth,
  clients,
  confirm,
  connections,
  developers,
  device,
  failed,
  guide,
  home,
  invitations,
  live,
  mail,
  members,
  organization,
  pictures,
  privacy,
  problems,
  proof,
  refusals,
  scopes,
  qr,
  security,
  statistics,
  ui,
  users,
}
