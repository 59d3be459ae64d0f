import { setTimeout as pause } from 'node:timers/promises'
import { clients, connections, sessions, users } from '@vrata/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { untilLockIsAwaited } from '../../../test/databases/until-lock-is-awaited.ts'
import { whileUncommitted } from '../../../test/databases/while-uncommitted.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'
import type { Db } from '../../db/open.ts'
import type { TransactionDeps } from '../../deps.ts'
import { findUserForUpdate } from '../../features/account/public.ts'
import { deleteSomeSessions } from '../../features/sessions/public.ts'
import { consumeToken, insertTokens } from './store.ts'
import { tokenKey } from './token-keys.ts'

/**
 * Tokens end while a token request is under way that consumes one of them and creates others. It reads the session without a lock, so what ends
 * the session has to find the new tokens (decision 0012).
 */
let server: TestServer
let ana: SignedIn
let organization: Organization
let person: SignedIn
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())
beforeEach(async () => {
  // The tests move the clock.
  expect(await ana.call(sessions.refresh, {})).toMatchObject({ ok: true })
  // Makes it the newest session.
  server.clock.advance(1)
  person = await server.as(people.cvetka)
  app = await organization.app()
  await allow(person, app)
})

const sessionOf = async ({ user }: SignedIn) => {
  const query = server.store.read.selectFrom('sessions').select('id').where('user_id', '=', user.id)
  return (await query.where('ended_at', 'is', null).orderBy('created_at', 'desc').executeTakeFirstOrThrow()).id
}
const kindsOfTokens = async () => {
  const rows = await server.store.read
    .selectFrom('tokens')
    .select('kind')
    .where('client_id', '=', app.client_id)
    .execute()
  return rows.map(({ kind }) => kind)
}

type Answer = Awaited<ReturnType<typeof post>>
/** Token requests that consume a code or token, a minute after the last use of the app's secret was recorded. */
const REQUESTS: Record<string, () => Promise<() => Promise<Answer>>> = {
  refresh: async () => {
    const { refresh_token } = await signInTo(server, person, app)
    server.clock.advance(61)
    return () => refresh(server, app, refresh_token)
  },
  'code exchange': async () => {
    await signInTo(server, person, app)
    server.clock.advance(61)
    const { form } = await codeFor(person, app)
    return () => post(server, app, '/token', form)
  },
}

type End = (deps: TransactionDeps) => Promise<unknown>
const revoke =
  (event: Parameters<TransactionDeps['revoke']>[0]): End =>
  async (deps) => {
    const user_id = person.user.id
    if (event !== 'signed_out') await findUserForUpdate(deps.db, user_id)
    await deps.revoke(event, { user_id, session_ids: [await sessionOf(person)], keep: null })
  }
/** Events that end tokens: the part of a transaction, and the call that does it. */
const ENDS: Record<string, End> = {
  'the session ends': revoke('signed_out'),
  'all sessions end': revoke('signed_out_everywhere'),
  'the password is reset': revoke('password_reset'),
  'the person is disabled': revoke('account_disabled'),
  'the sessions are deleted': async (deps) => await deleteSomeSessions(deps, person.user.id, 1000),
}

let held: (() => void)[] = []
afterEach(() => {
  for (const release of held) release()
  held = []
})

/** Holds the row of the client, for which a request waits that records a use of its secret after it has consumed and created tokens. */
async function holdingClient(): Promise<() => Promise<void>> {
  return await holding(async (db) => {
    await db.selectFrom('clients').select('name').where('client_id', '=', app.client_id).forUpdate().execute()
  })
}

/** Locks rows until the function is called that it returns. On SQLite, everything else waits. */
async function holding(lock: (db: Db) => Promise<void>): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  held.push(release.resolve)
  const transaction = server.store.transaction(async ({ db }) => {
    await lock(db)
    locked.resolve()
    await release.promise
  })
  await Promise.race([locked.promise, transaction])
  return async () => {
    release.resolve()
    await transaction
  }
}

async function expectEnded(answer: Answer): Promise<void> {
  expect(answer.statusCode).toBe(200)
  const { access_token, refresh_token } = answer.json()
  expect((await userinfo(server, access_token)).statusCode).toBe(401)
  expect((await refresh(server, app, refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
}

describe.each(Object.entries(REQUESTS))('%s', (_, prepare) => {
  // On SQLite nothing is under way together.
  test.runIf(testEngine === 'postgres').each(Object.entries(ENDS))(
    'before %s: its tokens end, too',
    async (_name, end) => {
      const send = await prepare()
      const release = await holdingClient()
      const answering = send()
      await untilLockIsAwaited(server)
      const ending = server.deps.transaction(end)
      await untilLockIsAwaited(server, 2)
      await release()
      const answer = await answering
      await ending
      expect(await kindsOfTokens()).toEqual([])
      await expectEnded(answer)
      expect(server.deadlocks()).toEqual([])
    },
  )

  test.each(Object.entries(ENDS))('after %s, before its commit: it is refused', async (_name, end) => {
    const send = await prepare()
    const answer = await whileUncommitted(server, end, send)
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
    expect(await kindsOfTokens()).toEqual([])
    expect(server.deadlocks()).toEqual([])
  })

  test.runIf(testEngine === 'postgres')(
    'before the person is blocked, and before the app is removed: its tokens end, too',
    async () => {
      const block = () => ana.call(users.setUserBlocked, { id: person.user.id, blocked: true })
      const remove = () => person.call(connections.removeConnection, { client: app.client_id })
      for (const end of [block, remove]) {
        const send = await prepare()
        const release = await holdingClient()
        const answering = send()
        await untilLockIsAwaited(server)
        const ending = end()
        await untilLockIsAwaited(server, 2)
        await release()
        const answer = await answering
        expect(await ending).toMatchObject({ ok: true })
        expect(await kindsOfTokens()).toEqual([])
        await expectEnded(answer)
        await ana.call(users.setUserBlocked, { id: person.user.id, blocked: false })
      }
      expect(server.deadlocks()).toEqual([])
    },
  )
})

test.runIf(testEngine === 'postgres')(
  'a chain of refreshes that overlap with the end of the session leaves no token',
  async () => {
    const other = await organization.app()
    await allow(person, other)
    const of = async (token: Promise<Answer>) => (await token).json().refresh_token as string
    const first = (await signInTo(server, person, app)).refresh_token
    const another = tokenKey((await signInTo(server, person, other)).refresh_token)

    server.clock.advance(61)
    // The end of the session waits for the first refresh, which is not committed, and for another token.
    const releaseFirst = await holdingClient()
    const refreshing = refresh(server, app, first)
    await untilLockIsAwaited(server)
    const releaseOther = await holding(async (db) => {
      await db.selectFrom('tokens').select('kind').where('token_hash', '=', another).forUpdate().execute()
    })
    const ending = server.deps.transaction(revoke('signed_out'))
    await untilLockIsAwaited(server, 2)
    await releaseFirst()
    // It does not see the tokens of the first one and of the second.
    const third = await of(refresh(server, app, await of(refreshing)))
    // A third request is in progress when the deletion is repeated, so it has to be repeated again.
    server.clock.advance(61)
    const releaseThird = await holdingClient()
    const last = refresh(server, app, third)
    await untilLockIsAwaited(server, 2)
    await releaseOther()
    await untilLockIsAwaited(server, 2)
    await releaseThird()
    const answer = await last
    await ending
    expect(await kindsOfTokens()).toEqual([])
    if (answer.statusCode === 200) await expectEnded(answer)
    expect(server.deadlocks()).toEqual([])
  },
)

test.runIf(testEngine === 'postgres')('a chain of refreshes while an app is disabled leaves no token', async () => {
  const now = server.clock.now().toISOString()
  await signInTo(server, person, app)
  const rows = server.store.read.selectFrom('tokens').selectAll().where('client_id', '=', app.client_id)
  const row = await rows.where('kind', '=', 'RefreshToken').executeTakeFirstOrThrow()
  await insertTokens(server.store.db, { ...row, token_hash: 'link 0' })
  /** A refresh that is not committed. */
  const refreshing = (link: number) =>
    holding(async (db) => {
      expect(await consumeToken(db, `link ${link}`, now)).toBe(true)
      await insertTokens(db, { ...row, token_hash: `link ${link + 1}` })
    })
  /** Another token, for which a statement waits that deletes all. */
  const obstacle = async (step: number) => {
    const token_hash = `obstacle ${step}`
    await insertTokens(server.store.db, { ...row, token_hash })
    return await holding(async (db) => {
      await db.selectFrom('tokens').select('kind').where('token_hash', '=', token_hash).forUpdate().execute()
    })
  }
  let [commit, remove] = [await refreshing(0), await obstacle(0)]
  const disabling = ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false })
  for (let step = 1; step <= 6; step += 1) {
    await untilLockIsAwaited(server)
    await commit()
    // The statement that waits does not see the next one, either.
    const next = [await refreshing(step), await obstacle(step)] as const
    await remove()
    await pause(30)
    ;[commit, remove] = next
  }
  await untilLockIsAwaited(server)
  await commit()
  await remove()
  expect(await disabling).toMatchObject({ ok: true })
  expect(await kindsOfTokens()).toEqual([])
})

test.runIf(testEngine === 'postgres')(
  'codes that are made while their app is being disabled, and tokens from them, have ended when it is enabled',
  async () => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const { client_id } = app
    const disabling = server.deps.transaction(async ({ db, revoke }) => {
      await db.updateTable('clients').set({ enabled: 0 }).where('client_id', '=', client_id).execute()
      await revoke('app_disabled', { client_id })
      resolve()
      await release.promise
    })
    await done
    // Neither waits for the other.
    const [unused, used] = [await codeFor(person, app), await codeFor(person, app)]
    release.resolve()
    await disabling
    // This server has not heard of it.
    const { refresh_token } = (await post(server, app, '/token', used.form)).json()
    expect(refresh_token).toBeDefined()
    expect(await ana.call(clients.updateClientInfo, { id: client_id, enabled: true })).toMatchObject({ ok: true })
    const answers = [await post(server, app, '/token', unused.form), await refresh(server, app, refresh_token)]
    expect(answers.map((answer) => answer.json().error)).toEqual(['invalid_grant', 'invalid_grant'])
  },
)

test('a sign-in to an app, which consumes nothing, waits for the end of its session', async () => {
  const answer = await whileUncommitted(server, revoke('signed_out'), async () => {
    const back = await codeFor(person, app).catch((error: Error) => error)
    return back instanceof Error ? 'no code' : 'a code'
  })
  expect([answer, await kindsOfTokens()]).toEqual(['no code', []])
  expect(await person.call(sessions.refresh, {})).toMatchObject({ ok: false })
})
