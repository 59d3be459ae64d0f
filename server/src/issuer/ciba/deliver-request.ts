import { LIMITS, paths, REQUEST_LINK_PREFIX } from '@vrata/contract'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import type { JobHandler } from '../../adapters/jobs/runner.ts'
import { queueMail } from '../../adapters/mail/mail.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { findUser, greetingName, localeOf, type User } from '../../features/account/public.ts'
import { findIssuerClient, type IssuerClient } from '../../features/clients/public.ts'
import { findConnection } from '../../features/connections/public.ts'
import { hasCountedMail, mailKey } from '../../features/security/public.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { type CibaRequestRow, findCibaRequest, listOpenCibaRequests, updateDelivered } from './store.ts'

/** The job that shows a backchannel authentication request to its user. */
export const CIBA_DELIVERY_JOB = 'ciba_delivery'

/**
 * Hook `triggerAuthenticationDevice`. Queues a job for every request, so that neither the response nor its time reveals
 * whether the hint names a user who may be asked (decision 0039).
 */
export async function triggerAuthenticationDevice(
  { writes }: ProviderRequest,
  _: unknown,
  { jti }: { jti: string },
): Promise<void> {
  writes.push((deps) => enqueue(deps, CIBA_DELIVERY_JOB, { auth_req_id_hash: hashToken(jti) }))
}

/** Shows the request in the account pages and mails its link. A request that may not be shown stays pending until it expires. */
export function cibaDeliveryJob(app: AppDeps): JobHandler {
  return async (payload) => {
    const { auth_req_id_hash } = payload as { auth_req_id_hash: string }
    await app.transaction(async (deps) => {
      const row = await findCibaRequest(deps.db, 'auth_req_id_hash', auth_req_id_hash)
      const asked = row && (await whoMayBeAsked(deps, row))
      if (!row || !asked) return
      const token = `${REQUEST_LINK_PREFIX}${newToken()}`
      const shown = await updateDelivered(
        deps.db,
        { id: row.id, link_hash: hashToken(token) },
        toTime(deps.clock.now()),
      )
      if (!shown) return
      if (await mayMail(deps, asked.user, asked.client)) await mailLink(deps, row, asked, token)
      await deps.emit('request_delivered', { user_id: asked.user.id })
    })
  }
}

/**
 * Only users with a confirmed address who have allowed the app before: otherwise anyone who registers an app could mail
 * requests to any user. Undefined also while too many requests of the app wait for the user.
 */
async function whoMayBeAsked(
  deps: TransactionDeps,
  { user_id, client_id }: CibaRequestRow,
): Promise<{ user: User; client: IssuerClient } | undefined> {
  if (user_id === null) return undefined
  const [user, client, connection, open] = await Promise.all([
    findUser(deps.db, user_id),
    findIssuerClient(deps.db, client_id),
    findConnection(deps.db, user_id, client_id),
    listOpenCibaRequests(deps.db, user_id, toTime(deps.clock.now())),
  ])
  if (!user?.email_verified_at || user.disabled_at !== null) return undefined
  if (!client?.enabled || !connection || connection.blocked || connection.left_out) return undefined
  const most = Math.ceil(LIMITS.ciba_requests_per_person * deps.config.limits_factor)
  return open.filter((one) => one.client_id === client_id).length < most ? { user, client } : undefined
}

async function mayMail(deps: TransactionDeps, { id }: User, { client_id }: IssuerClient): Promise<boolean> {
  return (
    (await hasCountedMail(deps, mailKey.requestOfApp(id, client_id), LIMITS.ciba_mails_per_app)) &&
    (await hasCountedMail(deps, mailKey.request(id), LIMITS.ciba_mails_per_person))
  )
}

/** Queues the mail, without the binding message, so that an app cannot mail a text of its own. */
async function mailLink(
  deps: TransactionDeps,
  { client_id, expires_at }: CibaRequestRow,
  { user, client }: { user: User; client: IssuerClient },
  token: string,
): Promise<void> {
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'app_request',
    values: {
      name: greetingName(user),
      app: client.name,
      link: `${deps.config.url}${paths.consent({ uid: token, client_id })}`,
    },
    expires_at,
  })
}
