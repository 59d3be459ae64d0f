import type { system } from '@vrata/contract'
import { countJobs } from '../../adapters/jobs/job-list.ts'
import { MAIL_JOB } from '../../adapters/mail/mail.ts'
import type { AppDeps } from '../../deps.ts'
import { countPendingClients } from '../admin-clients/public.ts'
import { countPendingOrganizations } from '../admin-organizations/public.ts'
import { readFigures } from './figures.ts'

/** Days of the chart. */
const DAYS = 90

/** How many organizations and apps wait for approval. Read through an index that holds only these. */
export async function getWaitingApprovals({ db }: Pick<AppDeps, 'db'>) {
  const [organizations, clients] = await Promise.all([countPendingOrganizations(db), countPendingClients(db)])
  return { organizations, clients }
}

/** The state of the installation at a glance (operators §2). */
export async function getOverview(app: AppDeps): Promise<system.Overview> {
  const [figures, approvals, days, waiting, failed, keys, state] = await Promise.all([
    readFigures(app),
    getWaitingApprovals(app),
    app.signInDays.list(app.db, DAYS),
    countJobs(app.db, 'waiting', MAIL_JOB),
    countJobs(app.db, 'failed', MAIL_JOB),
    app.signingKeys.list(),
    app.installation.read(),
  ])
  return {
    people: figures?.people ?? null,
    organizations: figures?.organizations ?? null,
    apps: figures?.apps ?? null,
    approvals,
    counted_at: figures?.counted_at ?? null,
    days,
    mails: { waiting: waiting.ofKind, failed: failed.ofKind },
    jobs: { waiting: waiting.others, failed: failed.others },
    keys: keys.filter((key) => key.state === 'active').map(({ alg, changed_at }) => ({ alg, since: changed_at })),
    ...state,
  }
}
