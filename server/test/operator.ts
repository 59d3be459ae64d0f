import type { OperatorRole } from '@vrata/contract'
import type { PersonData } from './people.ts'
import { type Phone, withSecondFactor } from './second-factor.ts'
import type { SignedIn, TestServer } from './test-server.ts'

export type Operator = SignedIn & { phone: Phone }

/** A user with a second factor and a role, which is given directly in the database. */
export async function createOperator(
  server: TestServer,
  person: Omit<PersonData, 'email'> & { email: string },
  role: OperatorRole,
): Promise<Operator> {
  const user = await server.as(person as PersonData)
  const { phone } = await withSecondFactor(server, user)
  await grantRole(server, user, role)
  return { ...user, phone }
}

/** Gives a user a role, directly in the database; null takes it away. */
export async function grantRole(
  server: TestServer,
  { user }: Pick<SignedIn, 'user'>,
  role: OperatorRole | null,
): Promise<void> {
  const { db } = server.store
  await db.deleteFrom('operators').where('user_id', '=', user.id).execute()
  if (role === null) return
  const added_at = server.clock.now().toISOString()
  await db.insertInto('operators').values({ user_id: user.id, role, added_at }).execute()
}
