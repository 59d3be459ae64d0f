import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, adminUsers, operators, policy, security } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { authenticator } from '../../../test/authenticator.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import type { TransactionDeps } from '../../deps.ts'
import { removeRole } from '../operators/public.ts'
import { changePolicy } from './update-policy.ts'

const COMMAND = { command: 'a test' }
/** Milliseconds in which a call that waits for no lock has ended. */
const WHILE = 300

/** Two administrators: of one a passkey signs in, too, and of the other the password alone. */
async function administrators(): Promise<{ server: TestServer; able: Operator; other: Operator; passkey: string }> {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const able = await createOperator(server, people.ana, 'admin')
  const response = authenticator().create(good(await able.call(security.passkeyOptions)))
  const { id: passkey } = good(await able.call(security.addPasskey, { name: 'Telefon', response }))
  const other = await createOperator(server, people.bor, 'admin')
  return { server, able, other, passkey }
}

/** Makes the call while the transaction of `work` is complete and not committed yet. */
async function duringTransaction<T>(
  { deps }: TestServer,
  work: (tx: TransactionDeps) => Promise<unknown>,
  call: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { promise: complete, resolve } = Promise.withResolvers<void>()
  const { promise: end, resolve: commit } = Promise.withResolvers<void>()
  const committed = deps.transaction(async (tx) => {
    await work(tx)
    resolve()
    await end
  })
  await complete
  const answer = call()
  await Promise.race([answer, pause(WHILE)])
  commit()
  await committed
  return await answer
}

const passwordsOff = (tx: TransactionDeps) => changePolicy(tx, COMMAND, { password_sign_in: false })
const last = { http: 409, problem: { code: 'last_operator' } }

test('the last passkey of an administrator stays when passwords are turned off at the same moment', async () => {
  const { server, able, passkey } = await administrators()
  const remove = () => able.call(security.removePasskey, { id: passkey })
  expect(await duringTransaction(server, passwordsOff, remove)).toMatchObject({ problem: { code: 'last_passkey' } })
  expect(good(await able.call(security.listPasskeys))).toMatchObject([{ id: passkey }])
})

test('the administrator whom a passkey signs in stays one when passwords are turned off at the same moment', async () => {
  const { server, able, other } = await administrators()
  const { id } = able.user
  const remove = () => other.call(operators.removeOperator, { user_id: id })
  expect(await duringTransaction(server, passwordsOff, remove)).toMatchObject(last)
})

test('passwords stay on when the role of the only administrator with a passkey is taken at the same moment', async () => {
  const { server, able, other } = await administrators()
  const turnOff = () => other.call(policy.updatePolicy, { password_sign_in: false })
  const take = (tx: TransactionDeps) => removeRole(tx, COMMAND, able.user.id)
  expect(await duringTransaction(server, take, turnOff)).toMatchObject(last)
  expect(good(await other.call(policy.getPolicy)).password_sign_in).toBe(true)
})

test('an administrator whose passkeys are removed when passwords are turned off gets a link to a new one', async () => {
  const { server, able, other } = await administrators()
  const { id } = able.user
  const reset = () => other.call(adminUsers.resetFactors, { id, reason: 'Asked in person', immediately: true })
  good(await duringTransaction(server, passwordsOff, reset))
  const mails = (await server.outbox()).filter(({ to }) => to === able.user.email)
  expect(mails).toContainEqual(expect.objectContaining({ link: expect.stringContaining('/new-passkey/') }))
})
