import { expect, test } from 'vitest'
import { type AskedFor, type Facts, nextStep } from './next-step.ts'

const noon = new Date('2026-11-21T12:00:00.000Z')
const before = (seconds: number) => new Date(noon.getTime() - seconds * 1000)

const request: AskedFor = {
  scopes: ['openid', 'email'],
  prompts: new Set(),
  max_age: undefined,
  sub: undefined,
  acr: undefined,
  unassured: false,
  asked_at: noon,
  decision: undefined,
}
const facts: Facts = {
  request,
  session: { user_id: 'ana', authenticated_at: before(600), acr: '1' },
  user: { email_verified: true },
  connection: { scopes: ['openid', 'email', 'profile'], declined: [] },
  blocked: false,
  now: noon,
}
const asking = (part: Partial<AskedFor>, rest: Partial<Facts> = {}) =>
  nextStep({ ...facts, ...rest, request: { ...request, ...part } })
const after = new Date(noon.getTime() + 5000)
const justSignedIn = { session: { user_id: 'ana', authenticated_at: after, acr: '1' }, now: after }

test('somebody signed in who has allowed all of it goes straight back to the app', () => {
  expect(nextStep(facts)).toBe('done')
})

test('nobody signed in: sign in first', () => {
  expect(nextStep({ ...facts, session: undefined })).toBe('login')
  expect(nextStep({ ...facts, user: undefined })).toBe('login')
})

test.each(['login', 'select_account'])('prompt=%s wants a sign-in made after the request began', (prompt) => {
  const prompts = new Set([prompt])
  expect(asking({ prompts })).toBe('login')
  expect(asking({ prompts }, justSignedIn)).toBe('done')
})

test('max_age wants a younger sign-in', () => {
  expect(asking({ max_age: 601 })).toBe('done')
  expect(asking({ max_age: 600 })).toBe('done')
  expect(asking({ max_age: 599 })).toBe('login')
  expect(asking({ max_age: 0 }, justSignedIn)).toBe('done')
})

test('an app that wants one certain person does not get another one', () => {
  expect(asking({ sub: 'ana' })).toBe('done')
  expect(asking({ sub: 'bor' })).toBe('login')
  expect(asking({ sub: 'bor' }, justSignedIn)).toBe('refuse')
})

test('an app that insists on more than a password gets it by a new sign-in, or hears that it cannot', () => {
  expect(asking({ acr: ['2', '1'] })).toBe('done')
  expect(asking({ acr: ['2'] })).toBe('login')
  expect(asking({ acr: ['2'] }, justSignedIn)).toBe('unmet')
  expect(asking({ acr: ['2'] }, { ...justSignedIn, session: { ...justSignedIn.session, acr: '2' } })).toBe('done')
})

test('somebody whom the organisation has blocked gets no further, but may sign in as somebody else', () => {
  const unconfirmed = { email_verified: false }
  expect(nextStep({ ...facts, blocked: true })).toBe('blocked')
  expect(nextStep({ ...facts, blocked: true, connection: undefined })).toBe('blocked')
  expect(nextStep({ ...facts, blocked: true, user: unconfirmed })).toBe('blocked')
  expect(asking({ prompts: new Set(['login']) }, { blocked: true })).toBe('login')
  expect(asking({ sub: 'bor' }, { blocked: true })).toBe('login')
})

test('§2 an unconfirmed address comes before consent, and before a denial counts', () => {
  const user = { email_verified: false }
  expect(nextStep({ ...facts, user })).toBe('verify')
  expect(asking({ decision: 'denied' }, { user })).toBe('verify')
})

test('what was not allowed yet needs consent', () => {
  expect(asking({ scopes: ['openid', 'notes.read'] })).toBe('consent')
  expect(nextStep({ ...facts, connection: undefined })).toBe('consent')
  expect(asking({ prompts: new Set(['consent']) })).toBe('consent')
  expect(asking({ unassured: true })).toBe('consent')
})

test('an answer to this very request settles it, even when some scopes were declined', () => {
  const all = { scopes: ['openid', 'notes.read'], prompts: new Set(['consent']), unassured: true }
  expect(asking({ ...all, decision: 'allowed' })).toBe('done')
  expect(asking({ ...all, decision: 'denied' })).toBe('deny')
  expect(asking({ ...all, decision: 'allowed' }, { connection: undefined })).toBe('consent')
})

test('what was declined before is not asked for again, unless the app insists; what is new is', () => {
  const connection = { scopes: ['openid'], declined: ['email'] }
  expect(asking({}, { connection })).toBe('done')
  expect(asking({ prompts: new Set(['consent']) }, { connection })).toBe('consent')
  expect(asking({ scopes: ['openid', 'email', 'phone'] }, { connection })).toBe('consent')
})
