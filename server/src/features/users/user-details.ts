import { type InputOf, problem, type users } from '@vrata/contract'
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
  deps: Pick<AppDeps, 'db' | 'subjects'>,
  actor: MemberActor,
  { id }: InputOf<typeof users.getUser>,
): Promise<users.DeveloperUserDetails> {
  const { developer_id } = actor
  const [found] = await findDeveloperUsers(deps.db, { developer_id }, [id])
  if (!found) throw problem('not_found')
  const { clients, ...user } = found.user
  const granted = new Map(
    (await listGrantedClients(deps.db, { developer_id }, [id])).map((row) => [row.client_id, row] as const),
  )
  const scopesOf = (client_id: string) => {
    const row = granted.get(client_id)
    return row ? allowedScopes(fromJson<string[]>(row.scopes), fromJson<string[]>(row.client_scopes)) : []
  }
  const keys = clients.flatMap(({ client_id }) => scopesOf(client_id))
  const texts = await describeScopes(deps.db, [...new Set(keys)], actor.locale)
  const client_ids = clients.map(({ client_id }) => client_id)
  const sign_ins = await listUserSignIns(deps.db, id, client_ids, SIGN_INS)
  return {
    ...user,
    clients: await Promise.all(
      clients.map(async (client) => ({
        ...client,
        sub: await deps.subjects.of(granted.get(client.client_id) ?? { sector_identifier: null }, id),
        scopes: texts.filter(({ key }) => scopesOf(client.client_id).includes(key)),
      })),
    ),
    sign_ins: sign_ins.map(({ client_id, created_at }) => ({ client_id, at: created_at })),
  }
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
