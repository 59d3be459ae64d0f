import { type AnswerOf, type adminOrganizations, type InputOf, LEVELS, type Level, problem } from '@vrata/contract'
import { fromFlag } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import { findAdminClients } from '../admin-clients/public.ts'
import { UNREGISTERED } from '../clients/public.ts'
import { ownLimits } from '../developers/public.ts'
import { listMembersWithAccounts, listOrganizations, type MemberWithAccount, type OrganizationRow } from './store.ts'

/** Lists one page of the organizations of the installation, newest first (operators §2). */
export async function listAdminOrganizations(
  deps: Pick<AppDeps, 'db'>,
  _: unknown,
  { query, status, cursor, limit }: InputOf<typeof adminOrganizations.listAdminOrganizations>,
): Promise<AnswerOf<typeof adminOrganizations.listAdminOrganizations>> {
  const selection = { query, status, except: UNREGISTERED }
  const rows = await listOrganizations(deps.db, selection, { after: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { data: page.map(toOrganization), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

function toOrganization(row: OrganizationRow): adminOrganizations.AdminOrganization {
  const { id, name, logo, website, approval, approval_reason, approval_asked_at, created_at } = row
  const enabled = fromFlag(row.enabled)
  return {
    id,
    name,
    logo,
    website,
    created_at,
    enabled,
    status: approval ?? (enabled ? 'active' : 'disabled'),
    approval,
    approval_reason,
    approval_asked_at,
    verified: fromFlag(row.verified),
    members: Number(row.members),
    clients: Number(row.clients),
  }
}

/** Members and apps that operators see at once. */
const SHOWN = 100

/** Returns an organization with its members and apps. Throws `not_found`. */
export async function getAdminOrganization(
  deps: Pick<AppDeps, 'db'>,
  _: unknown,
  { id }: InputOf<typeof adminOrganizations.getAdminOrganization>,
): Promise<adminOrganizations.AdminOrganizationDetails> {
  const [row] = await listOrganizations(deps.db, { id, except: UNREGISTERED }, { after: undefined, limit: 1 })
  if (!row) throw problem('not_found')
  const [members, clients] = await Promise.all([
    listMembersWithAccounts(deps.db, id),
    findAdminClients(deps.db, { developer_id: id }, SHOWN),
  ])
  const rank = ({ permission }: MemberWithAccount) => LEVELS.indexOf(permission as Level)
  return {
    ...toOrganization(row),
    description: row.description,
    company: row.company,
    limits: ownLimits(row),
    member_list: members
      .toSorted((a, b) => rank(b) - rank(a))
      .slice(0, SHOWN)
      .map(toMember),
    client_list: clients,
    ownerless: isOwnerless(members),
  }
}

function toMember(row: MemberWithAccount): adminOrganizations.AdminOrganizationDetails['member_list'][number] {
  const { id, first_name, last_name, username, email, profile_picture, permission } = row
  const user = { id, first_name, last_name, username, email, profile_picture }
  return { user, permission: permission as Level, active: isActive(row) }
}

/** Whether the account can be used: confirmed, neither disabled nor being deleted. */
export function isActive({ email_verified_at, disabled_at, due_at }: MemberWithAccount): boolean {
  return email_verified_at !== null && disabled_at === null && due_at === null
}

/** Whether no owner has an account that can be used. */
export function isOwnerless(members: readonly MemberWithAccount[]): boolean {
  return !members.some((member) => member.permission === 'owner' && isActive(member))
}
