import type { JobHandler } from './adapters/jobs/runner.ts'
import { ARCHIVE_PARTS } from './archive-parts.ts'
import type { AppDeps } from './deps.ts'
import { RESET_FACTORS_JOB, resetFactorsJob } from './features/admin-users/public.ts'
import { logoJob } from './features/client-registration/public.ts'
import { DELETE_CLIENT_JOB, LOGO_JOB } from './features/clients/public.ts'
import * as connected from './features/connections/public.ts'
import { DELETE_ORGANIZATION_JOB } from './features/developers/public.ts'
import { DELETE_GROUP_JOB, deleteGroupJob } from './features/groups/public.ts'
import * as privacy from './features/privacy/public.ts'
import { DELETE_SCOPE_JOB } from './features/scopes/public.ts'
import * as sessions from './features/sessions/public.ts'
import * as signIn from './features/sign-in/public.ts'
import { CIBA_DELIVERY_JOB, cibaDeliveryJob } from './issuer/ciba/deliver-request.ts'
import { CIBA_PING_JOB, cibaPingJob } from './issuer/ciba/notify-client.ts'
import { LOGOUT_JOB, logoutJob } from './issuer/logout/backchannel-logout.ts'
import { changeAccessJob } from './issuer/tokens/deletion/change-access.ts'
import { deleteTokensWithoutSession } from './issuer/tokens/deletion/connection-token-store.ts'
import { DELETE_TOKENS_JOB, deleteTokensJob } from './issuer/tokens/deletion/end-connection-tokens.ts'
import { deleteTokensFor, END_TOKENS_JOB, endTokensJob } from './issuer/tokens/deletion/end-tokens.ts'

/** Kinds of jobs with their own lane: requests to the servers of apps, and archives, which may take a minute. Neither delays mails or the other. */
export const JOBS_APART = [
  [LOGOUT_JOB, LOGO_JOB, CIBA_PING_JOB],
  [privacy.ARCHIVE_JOB, privacy.REMOVE_ARCHIVE_JOB],
]

/** Nothing else names the file: without its job it would stay for good. */
export const JOBS_UNTIL_DONE = [privacy.REMOVE_ARCHIVE_JOB]

/** Handlers of each kind of job; mails have handlers of their own. */
export function jobHandlers(deps: AppDeps): Record<string, JobHandler> {
  return {
    [signIn.FORGOT_PASSWORD_JOB]: signIn.forgotPasswordJob(deps),
    [RESET_FACTORS_JOB]: resetFactorsJob(deps),
    [sessions.END_SESSIONS_JOB]: sessions.endSessionsJob(deps, deleteTokensWithoutSession),
    [sessions.SHORTEN_SESSIONS_JOB]: sessions.shortenSessionsJob(deps),
    [privacy.ARCHIVE_JOB]: privacy.archiveJob(deps, ARCHIVE_PARTS),
    [privacy.REMOVE_ARCHIVE_JOB]: privacy.removeArchiveJob(deps),
    [DELETE_CLIENT_JOB]: connected.deleteClientJob(deps, deleteTokensFor),
    [DELETE_ORGANIZATION_JOB]: connected.deleteOrganizationJob(deps, deleteTokensFor),
    [END_TOKENS_JOB]: endTokensJob(deps),
    [DELETE_TOKENS_JOB]: deleteTokensJob(deps),
    [DELETE_GROUP_JOB]: deleteGroupJob(deps),
    [DELETE_SCOPE_JOB]: connected.deleteScopeJob(deps),
    [connected.CHANGE_ACCESS_JOB]: changeAccessJob(deps),
    [LOGOUT_JOB]: logoutJob(deps),
    [LOGO_JOB]: logoJob(deps),
    [CIBA_DELIVERY_JOB]: cibaDeliveryJob(deps),
    [CIBA_PING_JOB]: cibaPingJob(deps),
  }
}
