import { adminUsers, members, security, sessions, signIn } from '@vrata/contract'
import { tokenIn } from '../../../testing/mail.ts'
import type { Room } from '../../src/adapters/realtime/realtime.ts'
import type { Effect, Revocable } from '../../src/revocation/revocables.ts'
import { good } from '../second-factor.ts'
import type { TestSocket } from '../sockets.ts'
import type { TestServer } from '../test-server.ts'
import { post, refresh, userinfo } from '../third-party.ts'
import { type Holder, type Sockets, signInByPasskey } from './revocation-holder.ts'

/** One thing that an event can end. */
export interface Item {
  revocable: Revocable
  name: string
  /** Belongs to the browser that causes the event, to another one, or to a session whose row was deleted. */
  browser?: 'current' | 'other' | 'expired'
  /** Belongs to the app and organization that the event concerns. */
  app?: 'this' | 'another'
  isNamed?: boolean
  isRecoveryCode?: boolean
  isSentByMember?: boolean
  /** Tried once, in the order of the items. */
  works(): Promise<boolean>
}

/** Whether an effect ends an item. */
export const ENDS: Record<Effect, (item: Item) => boolean> = {
  stays: () => false,
  ends: () => true,
  others_end: ({ browser }) => browser !== 'current',
  session_ends: ({ browser }) => browser === 'other',
  app_ends: ({ app }) => app === 'this',
  access_ends: ({ app }) => app === 'this',
  organization_ends: ({ app }) => app === 'this',
  scope_ends: ({ app }) => app === 'this',
  redirect_uri_ends: ({ app }) => app === 'this',
  recovery_codes_end: ({ isRecoveryCode = false }) => isRecoveryCode,
  one_ends: ({ isNamed = false }) => isNamed,
  sent_end: ({ isSentByMember = false }) => isSentByMember,
}

/** Everything that the user has, in the order in which it is tried: what moves the clock or signs in comes last. */
export function itemsOf(server: TestServer, holder: Holder, sockets: Sockets): Item[] {
  const { person, at, app, codes, tokens, waiting, requests, links, keys, factor, approved, pending } = holder
  const afterPassword = async () => {
    const browser = server.browser()
    const answer = await browser.call(signIn.login, { username: person.email, password: person.password })
    return answer.ok && answer.data.next === 'otp' ? browser : undefined
  }
  return [
    ...(['current', 'other'] as const).map(
      (browser): Item => ({
        revocable: 'sockets',
        name: `of the ${browser} browser`,
        browser,
        works: () => isOpen(server, sockets[browser], `user:${person.user.id}`, person.user.id),
      }),
    ),
    {
      revocable: 'sockets',
      name: 'in the room of the organization',
      browser: 'current',
      app: 'this',
      works: () => isOpen(server, sockets.current, `developer:${app.organization.developer_id}`, person.user.id),
    },
    ...codes.map(
      ({ browser, app, of, form }): Item => ({
        revocable: 'authorization_codes',
        name: `${browser} browser, ${app} app`,
        browser,
        app,
        works: async () => (await post(server, of, '/token', form)).statusCode === 200,
      }),
    ),
    ...tokens.map(
      ({ browser, app, access_token }): Item => ({
        revocable: 'access_tokens',
        name: `${browser} browser, ${app} app`,
        browser,
        app,
        works: async () => (await userinfo(server, access_token)).statusCode === 200,
      }),
    ),
    ...tokens.map(
      ({ browser, app, exchanged }): Item => ({
        revocable: 'access_tokens',
        name: `${browser} browser, ${app} app, exchanged by a service`,
        browser,
        app,
        works: async () => (await userinfo(server, exchanged)).statusCode === 200,
      }),
    ),
    ...tokens.map(
      ({ browser, app, of, refresh_token }): Item => ({
        revocable: 'refresh_tokens',
        name: `${browser} browser, ${app} app`,
        browser,
        app,
        works: async () => (await refresh(server, of, refresh_token)).statusCode === 200,
      }),
    ),
    ...waiting.map(
      ({ browser, app, codeOf }): Item => ({
        revocable: 'waiting_requests',
        name: `${browser} browser, ${app} app`,
        browser,
        app,
        works: async () => (await codeOf()) !== null,
      }),
    ),
    ...requests.map(
      ({ browser, app, of, auth_req_id }): Item => ({
        revocable: 'ciba_requests',
        name: `${browser ? `allowed in the ${browser} browser` : 'open'}, ${app} app`,
        ...(browser ? { browser } : {}),
        app,
        works: async () => {
          const form = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id }
          const answer = await post(server, of, '/token', form)
          return answer.statusCode === 200 || answer.json().error === 'authorization_pending'
        },
      }),
    ),
    ...(['current', 'other'] as const).map(
      (browser): Item => ({
        revocable: 'sessions',
        name: `of the ${browser} browser`,
        browser,
        works: async () => (await at[browser].call(sessions.refresh, {})).ok,
      }),
    ),
    ...(['current', 'other'] as const).map(
      (browser): Item => ({
        revocable: 'known_browsers',
        name: `the ${browser} browser`,
        browser,
        works: async () => good(await at[browser].call(signIn.listKnownAccounts)).length > 0,
      }),
    ),
    ...['user:%', 'device:%', 'code:%'].map(
      (prefix): Item => ({
        revocable: 'throttles',
        name: prefix,
        works: async () => {
          const key = prefix.replace('%', `${person.user.id}%`)
          const rows = await server.store.read.selectFrom('throttles').select('key').where('key', 'like', key).execute()
          return rows.length > 0
        },
      }),
    ),
    {
      revocable: 'reset_links',
      name: 'a password link',
      works: async () => (await server.browser().call(signIn.checkPasswordLink, { token: links.reset })).ok,
    },
    {
      revocable: 'invitations',
      name: 'from the user',
      app: 'this',
      isSentByMember: true,
      works: () => isWaiting(server, links.sent),
    },
    { revocable: 'invitations', name: 'to the user', app: 'another', works: () => isWaiting(server, links.received) },
    {
      revocable: 'confirmation_links',
      name: 'of a new address',
      works: async () => {
        const users = server.store.read.selectFrom('users').select('pending_email').where('id', '=', person.user.id)
        const waits = (await users.executeTakeFirst())?.pending_email != null
        const { ok } = await server.browser().call(security.verifyEmail, { token: links.confirmation })
        // The link that has confirmed the address is answered again.
        if (ok && waits) person.email = `next-${person.email}`
        return ok && waits
      },
    },
    {
      revocable: 'factor_resets',
      name: 'requested by an operator',
      works: async () => {
        const answer = await server.browser().call(adminUsers.checkFactorReset, { token: links.kept })
        return answer.ok && answer.data.state === 'waiting'
      },
    },
    ...approved.map(
      ({ browser, screen, code }): Item => ({
        revocable: 'pending_sign_ins',
        name: `a QR code approved in the ${browser} browser`,
        browser,
        works: async () => {
          const answer = await screen.call(signIn.getQrCode, { code })
          return answer.ok && answer.data.state === 'approved' && answer.data.user !== undefined
        },
      }),
    ),
    ...keys.map(
      (key, index): Item => ({
        revocable: 'passkeys',
        name: `passkey ${index + 1}`,
        isNamed: index === 0,
        works: () => signInByPasskey(server, key),
      }),
    ),
    ...(factor
      ? ([
          {
            revocable: 'pending_sign_ins',
            name: 'after the password',
            works: async () => (await pending.call(signIn.loginOtp, { otp_token: factor.phone.code() })).ok,
          },
          {
            revocable: 'second_factor',
            name: 'authenticator app',
            works: async () =>
              (await (await afterPassword())?.call(signIn.loginOtp, { otp_token: factor.phone.code() }))?.ok ?? false,
          },
          {
            revocable: 'second_factor',
            name: 'recovery code',
            isRecoveryCode: true,
            works: async () =>
              (await (await afterPassword())?.call(signIn.loginOtp, { recovery_code: factor.codes[0] ?? '' }))?.ok ??
              false,
          },
        ] satisfies Item[])
      : []),
  ]
}

async function isWaiting(server: TestServer, link: string): Promise<boolean> {
  const answer = await server.browser().call(members.describeInvitation, { token: tokenIn(link) })
  return answer.ok && answer.data.state === 'waiting'
}

let messages = 0

/**
 * Whether the socket is open and in the room. Publishes to the room and then to the user, and waits until the socket has
 * received the later message or is closed; messages are delivered in order.
 */
async function isOpen(server: TestServer, { socket }: TestSocket, room: Room, user_id: string): Promise<boolean> {
  const [first, last] = [`message ${++messages}`, `message ${++messages}`]
  const received = new Set<string | undefined>()
  const done = new Promise<void>((resolve) => {
    socket.on('client:changed', ({ client_id }) => {
      received.add(client_id)
      if (client_id === last) resolve()
    })
    socket.on('disconnect', () => resolve())
  })
  const message = (to: Room, client_id: string) =>
    ({ to, event: 'client:changed', what: { developer_id: '', client_id } }) as const
  await server.deps.realtime.publish([message(room, first), message(`user:${user_id}`, last)])
  if (socket.connected) await done
  return received.has(first)
}
