import { atLeast, connections, LEVELS, type Level, members, security, sessions, signIn } from '@vrata/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { newId } from '../src/lib/ids.ts'
import type { Organization } from './organization.ts'
import type { RegisteredUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import type { SignedIn, TestServer } from './test-server.ts'
import { allow, refresh, signInTo, type ThirdParty, userinfo } from './third-party.ts'

/**
 * Access of one person according to the specification: which devices are signed in, which tokens are active and with which
 * scopes, and the level in an organization. Each command changes the model and the server alike; `observe` compares them.
 */
export interface Model {
  devices: { live: boolean }[]
  /** Scopes that the person allows each app. */
  allowed: Set<string>[]
  families: FamilyModel[]
  password: number
  level: Level | null
}

/** The tokens of one sign-in to an app: a refresh token with its successors, and access tokens. */
type FamilyModel = { app: number; device: number; live: boolean; rotations: number; access: AccessModel[] }
type AccessModel = { live: boolean; scopes: Set<string> }

/** The same on the server. */
export interface Real {
  server: TestServer
  owner: SignedIn
  organization: Organization
  apps: ThirdParty[]
  person: RegisteredUser
  member_id: string
  devices: SignedIn[]
  /** All refresh tokens of a family, the current one last, and its access tokens. */
  families: { refresh: string[]; access: string[] }[]
}

type Command = fc.AsyncCommand<Model, Real>

export const SCOPES = ['openid', 'profile', 'email']
/** Reads of the organization, one for each of these levels. */
const READS: [url: string, needs: Level][] = [
  ['/v1/developer', 'member'],
  ['/v1/developer/statistics', 'analyst'],
  ['/v1/developer/users', 'analyst'],
]

export const passwordOf = (model: Pick<Model, 'password'>) => `gora-in-morje-${model.password}`
export const emptyModel = (apps: number): Model => ({
  devices: [{ live: true }],
  allowed: Array.from({ length: apps }, () => new Set<string>()),
  families: [],
  password: 0,
  level: null,
})

function end(family: FamilyModel): void {
  family.live = false
  for (const access of family.access) access.live = false
}

/** Numbers choose among what there is, so that a command still means something when others before it are left out. */
const chosen = <T>(from: readonly T[], number: number): [T, number] | undefined => {
  const at = from.length ? number % from.length : -1
  return at < 0 ? undefined : [from[at] as T, at]
}
const someDevice = (model: Model, number: number): number | undefined => {
  const live = model.devices.flatMap(({ live }, at) => (live ? [at] : []))
  return chosen(live, number)?.[0]
}
const deviceOf = (real: Real, at: number) => real.devices[at] as SignedIn

function command(
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check,
    toString: () => name,
    async run(model, real) {
      await run(model, real)
      await observe(model, real)
    },
  }
}

/** Every device, every access token and every level answers as the model says. */
async function observe(model: Model, real: Real): Promise<void> {
  const devices = model.devices.map(async ({ live }, at) => {
    const { statusCode } = await deviceOf(real, at).request({ url: '/v1/account' })
    expect([`device ${at}`, statusCode]).toEqual([`device ${at}`, live ? 200 : 401])
  })
  const tokens = model.families.flatMap(({ access }, family) =>
    access.map(async ({ live, scopes }, at) => {
      const what = `access token ${at} of family ${family}`
      const answer = await userinfo(real.server, real.families[family]?.access[at] as string)
      expect([what, answer.statusCode]).toEqual([what, live ? 200 : 401])
      if (live) expect([what, 'email' in answer.json()]).toEqual([what, scopes.has('email')])
    }),
  )
  const at = someDevice(model, 0)
  const levels =
    at === undefined
      ? []
      : READS.map(async ([url, needs]) => {
          const headers = { 'developer-id': real.organization.developer_id }
          const { statusCode } = await deviceOf(real, at).request({ url, headers })
          const allowed = atLeast(model.level, needs)
          expect([url, model.level, statusCode === 200]).toEqual([url, model.level, allowed])
        })
  await Promise.all([...devices, ...tokens, ...levels])
}

const signInOnDevice = () =>
  command(
    'sign in on another device',
    ({ devices }) => devices.length < 4,
    async (model, real) => {
      const device = real.server.browser()
      good(await device.call(signIn.login, { username: real.person.email, password: passwordOf(model) }))
      real.devices.push({ ...device, user: real.person.user })
      model.devices.push({ live: true })
    },
  )

const signOut = (number: number) =>
  command(
    `sign out of device ${number}`,
    (model) => someDevice(model, number) !== undefined,
    async (model, real) => {
      const at = someDevice(model, number) as number
      good(await deviceOf(real, at).call(sessions.logout))
      for (const device of model.devices.slice(at, at + 1)) device.live = false
      for (const family of model.families) if (family.device === at) end(family)
    },
  )

/** Ends the other sessions, and all tokens. */
function keepOnly(model: Model, at: number): void {
  for (const [index, device] of model.devices.entries()) if (index !== at) device.live = false
  for (const family of model.families) end(family)
}

const signOutElsewhere = (number: number) =>
  command(
    `sign out everywhere but on device ${number}`,
    (model) => someDevice(model, number) !== undefined,
    async (model, real) => {
      const at = someDevice(model, number) as number
      good(await deviceOf(real, at).call(sessions.logoutAll, {}))
      keepOnly(model, at)
    },
  )

const changePassword = (number: number) =>
  command(
    `change the password on device ${number}`,
    (model) => someDevice(model, number) !== undefined,
    async (model, real) => {
      const at = someDevice(model, number) as number
      const next = passwordOf({ password: model.password + 1 })
      const body = { current_password: passwordOf(model), new_password: next }
      good(await deviceOf(real, at).call(security.changePassword, body))
      model.password += 1
      keepOnly(model, at)
    },
  )

const connect = (number: number, app: number) =>
  command(
    `sign in to app ${app} on device ${number}`,
    (model) => someDevice(model, number) !== undefined && model.families.length < 5,
    async (model, real) => {
      const at = someDevice(model, number) as number
      await allow(deviceOf(real, at), real.apps[app] as ThirdParty, SCOPES.join(' '))
      const tokens = await signInTo(real.server, deviceOf(real, at), real.apps[app] as ThirdParty)
      real.families.push({ refresh: [tokens.refresh_token], access: [tokens.access_token] })
      model.allowed[app] = new Set(SCOPES)
      const access = [{ live: true, scopes: new Set(SCOPES) }]
      model.families.push({ app, device: at, live: true, rotations: 0, access })
    },
  )

const refreshTokens = (number: number) =>
  command(
    `refresh family ${number}`,
    ({ families }) => families.length > 0,
    async (model, real) => {
      const [family, at] = chosen(model.families, number) as [FamilyModel, number]
      const tokens = real.families[at] as Real['families'][number]
      const answer = await refresh(real.server, real.apps[family.app] as ThirdParty, tokens.refresh.at(-1) as string)
      expect(['refresh', answer.statusCode]).toEqual(['refresh', family.live ? 200 : 400])
      if (!family.live) return
      const { access_token, refresh_token } = answer.json()
      tokens.access.push(access_token)
      tokens.refresh.push(refresh_token)
      family.rotations += 1
      family.access.push({ live: true, scopes: new Set(model.allowed[family.app]) })
    },
  )

/** A used refresh token may be stolen: everything that the app has in this session ends (RFC 9700 §4.14.2). */
const replay = (number: number) =>
  command(
    `use an old refresh token of family ${number}`,
    ({ families }) => families.some(({ rotations }) => rotations > 0),
    async (model, real) => {
      const rotated = model.families.filter(({ rotations }) => rotations > 0)
      const [family] = chosen(rotated, number) as [FamilyModel, number]
      const tokens = real.families[model.families.indexOf(family)] as Real['families'][number]
      const answer = await refresh(real.server, real.apps[family.app] as ThirdParty, tokens.refresh[0] as string)
      expect(['old refresh token', answer.statusCode]).toEqual(['old refresh token', 400])
      if (!family.live) return
      for (const one of model.families) if (one.app === family.app && one.device === family.device) end(one)
    },
  )

const disconnect = (number: number, app: number) =>
  command(
    `disconnect app ${app} on device ${number}`,
    (model) => someDevice(model, number) !== undefined && (model.allowed[app]?.size ?? 0) > 0,
    async (model, real) => {
      const { client_id: client } = real.apps[app] as ThirdParty
      good(await deviceOf(real, someDevice(model, number) as number).call(connections.removeConnection, { client }))
      model.allowed[app] = new Set()
      for (const family of model.families) if (family.app === app) end(family)
    },
  )

const revokeEmail = (number: number, app: number) =>
  command(
    `take the email address back from app ${app} on device ${number}`,
    (model) => someDevice(model, number) !== undefined && model.allowed[app]?.has('email') === true,
    async (model, real) => {
      const { client_id: client } = real.apps[app] as ThirdParty
      const device = deviceOf(real, someDevice(model, number) as number)
      good(await device.call(connections.revokeScope, { client, key: 'email' }))
      model.allowed[app]?.delete('email')
      for (const family of model.families) {
        if (family.app !== app) continue
        for (const access of family.access) if (access.scopes.has('email')) access.live = false
      }
    },
  )

const changeLevel = (level: Level | null) =>
  command(
    level === null ? 'remove the member' : `make the person ${level}`,
    (model) => model.level !== level,
    async (model, real) => {
      const { owner, member_id: id } = real
      if (level === null) good(await owner.call(members.removeMember, { id }))
      else if (model.level === null) await join(real, level)
      else good(await owner.call(members.changeLevel, { id, permission: level }))
      model.level = level
    },
  )

/** Invitations have tests of their own. */
async function join(real: Real, level: Level): Promise<void> {
  real.member_id = newId(real.server.clock)
  await real.server.store.db
    .insertInto('members')
    .values({
      id: real.member_id,
      developer_id: real.organization.developer_id,
      user_id: real.person.user.id,
      permission: level,
      joined_at: real.server.clock.now().toISOString(),
    })
    .execute()
}

const number = fc.nat({ max: 3 })
const app = fc.nat({ max: 1 })

/** Random sequences of what a person, an app and an owner can do. */
export const commands = (most: number) =>
  fc.commands(
    [
      fc.constant(signInOnDevice()),
      number.map(signOut),
      number.map(signOutElsewhere),
      number.map(changePassword),
      fc.tuple(number, app).map(([one, other]) => connect(one, other)),
      fc.tuple(number, app).map(([one, other]) => connect(one, other)),
      number.map(refreshTokens),
      number.map(refreshTokens),
      number.map(replay),
      fc.tuple(number, app).map(([one, other]) => disconnect(one, other)),
      fc.tuple(number, app).map(([one, other]) => revokeEmail(one, other)),
      fc.constantFrom(null, ...LEVELS.filter((level) => level !== 'owner')).map(changeLevel),
    ],
    { maxCommands: most, size: 'max' },
  )
