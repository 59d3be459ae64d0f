import { type InputOf, problem, type users } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { listUserSignIns } from '../activity/public.ts'
import { allowedScopes, listGrantedClients } from '../connections/public.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { describeScopes } from '../scope-catalog/public.ts'
import { findDeveloperUsers } from './developer-users.ts'

/** Sign-ins in the details of a user. */
const SIGN_INS = 20

/** Returns a user with what they share with each client, and their last sign-ins (api §5.5). */
export async function getUser(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  { id }: InputOf<typeof users.getUser>,
): Promise<users.DeveloperUserDetails> {
  const { developer_id } = actor
  const [found] = await findDeveloperUsers(deps.db, { developer_id }, [id])
  if (!found) throw problem('not_found')
  const { clients, ...user } = found.user
  const granted = await grantedScopes(deps.db, developer_id, id)
  const texts = await describeScopes(deps.db, [...new Set([...granted.values()].flat())], actor.locale)
  const client_ids = clients.map(({ client_id }) => client_id)
  const sign_ins = await listUserSignIns(deps.db, id, client_ids, SIGN_INS)
  return {
    ...user,
    clients: clients.map((client) => ({
      ...client,
      scopes: texts.filter(({ key }) => granted.get(client.client_id)?.includes(key)),
    })),
    sign_ins: sign_ins.map(({ client_id, created_at }) => ({ client_id, at: created_at })),
  }
}

/** Allowed scopes of the user by client. */
async function grantedScopes(db: ReadDb, developer_id: string, user_id: string): Promise<Map<string, string[]>> {
  const rows = await listGrantedClients(db, { developer_id }, [user_id])
  return new Map(
    rows.map(({ client_id, scopes, client_scopes }) => [
      client_id,
      allowedScopes(fromJson<string[]>(scopes), fromJson<string[]>(client_scopes)),
    ]),
  )
}

/** Returns the details for a user who asks the organization what it has (GDPR Article 15), and records the export. */
export async function exportUser(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof users.exportUser>,
): Promise<users.DeveloperUserDetails> {
  const details = await getUser(deps, actor, input)
  await recordDeveloperActivity(deps, actor, 'EXPORTED_USERS', { user: input.id })
  return details
}
