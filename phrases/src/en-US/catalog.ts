import { account } from './account.ts'
import { accountInvitations } from './account-invitations.ts'
import { accountLanguage } from './account-language.ts'
import { activity } from './activity.ts'
import { adminClients } from './admin-clients.ts'
import { adminOrganizations } from './admin-organizations.ts'
import { adminUsers } from './admin-users.ts'
import { appRequests } from './app-requests.ts'
import { archive } from './archive.ts'
import { audit } from './audit.ts'
import { branding } from './branding.ts'
import { clientDiagnostics } from './client-diagnostics.ts'
import { clients } from './clients.ts'
import { conflicts } from './conflicts.ts'
import { connections } from './connections.ts'
import { developers } from './developers.ts'
import { device } from './device.ts'
import { docs } from './docs.ts'
import { emailConfirmation } from './email-confirmation.ts'
import { groups } from './groups.ts'
import { home } from './home.ts'
import { invitations } from './invitations.ts'
import { loadFailure } from './load-failure.ts'
import { mail } from './mail.ts'
import { members } from './members.ts'
import { menu } from './menu.ts'
import { newPassword } from './new-password.ts'
import { operators } from './operators.ts'
import { organization } from './organization.ts'
import { pictures } from './pictures.ts'
import { plainPages } from './plain-pages.ts'
import { policy } from './policy.ts'
import { privacy } from './privacy.ts'
import { problems } from './problems.ts'
import { qrSignIn } from './qr-sign-in.ts'
import { realtime } from './realtime.ts'
import { saveState } from './save-state.ts'
import { scopes } from './scopes.ts'
import { search } from './search.ts'
import { secondFactor } from './second-factor.ts'
import { security } from './security.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { statistics } from './statistics.ts'
import { system } from './system.ts'
import { ui } from './ui.ts'
import { users } from './users.ts'

/** All English sentences, by file. Their keys are the type of the catalogs in the other languages. */
export const catalog = {
  account,
  'account-invitations': accountInvitations,
  'account-language': accountLanguage,
  activity,
  'app-requests': appRequests,
  archive,
  audit,
  branding,
  'admin-clients': adminClients,
  'admin-organizations': adminOrganizations,
  'admin-users': adminUsers,
  'sign-in': signIn,
  clients,
  'email-confirmation': emailConfirmation,
  connections,
  developers,
  device,
  'load-failure': loadFailure,
  docs,
  groups,
  home,
  invitations,
  realtime,
  mail,
  members,
  menu,
  operators,
  organization,
  'new-password': newPassword,
  pictures,
  'plain-pages': plainPages,
  policy,
  privacy,
  problems,
  'second-factor': secondFactor,
  'client-diagnostics': clientDiagnostics,
  'save-state': saveState,
  conflicts,
  scopes,
  'qr-sign-in': qrSignIn,
  search,
  security,
  'sign-out': signOut,
  statistics,
  system,
  ui,
  users,
}
