import { expect, test } from 'vitest'
import { type InteractionFacts, nextStep, type RequestFacts } from './next-step.ts'

const noon = new Date('2026-11-21T12:00:00.000Z')
const before = (seconds: number) => new Date(noon.getTime() - seconds * 1000)

const request: RequestFacts = {
  scopes: ['openid', 'email'],
  prompts: new Set(),
  max_age: undefined,
  sub: undefined,
  acr: undefined,
  unidentified: false,
  requested_at: noon,
  decision: undefined,
}
const facts: InteractionFacts = {
  request,
  session: { sub: 'ana', authenticated_at: before(600), acr: '1', incomplete: false },
  user: { email_verified: true },
  connection: { scopes: ['openid', 'email', 'profile'], declined: [] },
  blocked: false,
  access: true,
  now: noon,
}
const stepFor = (part: Partial<RequestFacts>, rest: Partial<InteractionFacts> = {}) =>
  nextStep({ ...facts, ...rest, request: { ...request, ...part } })
const after = new Date(noon.getTime() + 5000)
const justSignedIn = { session: { sub: 'ana', authenticated_at: after, acr: '1', incomplete: false }, now: after }

test('done: the user is signed in and has granted all scopes', () => {
  expect(nextStep(facts)).toBe('done')
})

test('finish: the policy asks for something before the sign-in is complete', () => {
  expect(
    nextStep({ ...facts, session: { sub: 'ana', authenticated_at: before(600), acr: '1', incomplete: true } }),
  ).toBe('finish')
})

test('login: no session or no user', () => {
  expect(nextStep({ ...facts, session: undefined })).toBe('login')
  expect(nextStep({ ...facts, user: undefined })).toBe('login')
})

test.each(['login', 'select_account'])('prompt=%s requires a sign-in after the request', (prompt) => {
  const prompts = new Set([prompt])
  expect(stepFor({ prompts })).toBe('login')
  expect(stepFor({ prompts }, justSignedIn)).toBe('done')
})

test('max_age requires a more recent sign-in', () => {
  expect(stepFor({ max_age: 601 })).toBe('done')
  expect(stepFor({ max_age: 600 })).toBe('done')
  expect(stepFor({ max_age: 599 })).toBe('login')
  expect(stepFor({ max_age: 0 }, justSignedIn)).toBe('done')
})

test('another user than the required sub must sign in, and is then wrong_user', () => {
  expect(stepFor({ sub: 'ana' })).toBe('done')
  expect(stepFor({ sub: 'bor' })).toBe('login')
  expect(stepFor({ sub: 'bor' }, justSignedIn)).toBe('wrong_user')
})

test('an essential acr requires a new sign-in, and is then unmet_acr', () => {
  expect(stepFor({ acr: ['2', '1'] })).toBe('done')
  expect(stepFor({ acr: ['2'] })).toBe('login')
  expect(stepFor({ acr: ['2'] }, justSignedIn)).toBe('unmet_acr')
  expect(stepFor({ acr: ['2'] }, { ...justSignedIn, session: { ...justSignedIn.session, acr: '2' } })).toBe('done')
})

test('blocked: but the user may sign in as another one', () => {
  const unconfirmed = { email_verified: false }
  expect(nextStep({ ...facts, blocked: true })).toBe('blocked')
  expect(nextStep({ ...facts, blocked: true, connection: undefined })).toBe('blocked')
  expect(nextStep({ ...facts, blocked: true, user: unconfirmed })).toBe('blocked')
  expect(stepFor({ prompts: new Set(['login']) }, { blocked: true })).toBe('login')
  expect(stepFor({ sub: 'bor' }, { blocked: true })).toBe('login')
})

test('verify: comes before consent and before a denial', () => {
  const user = { email_verified: false }
  expect(nextStep({ ...facts, user })).toBe('verify')
  expect(stepFor({ decision: 'denied' }, { user })).toBe('verify')
})

test('consent: a requested scope is not granted', () => {
  expect(stepFor({ scopes: ['openid', 'notes.read'] })).toBe('consent')
  expect(nextStep({ ...facts, connection: undefined })).toBe('consent')
  expect(stepFor({ prompts: new Set(['consent']) })).toBe('consent')
  expect(stepFor({ unidentified: true })).toBe('consent')
})

test('a decision about this request is final, also with declined scopes', () => {
  const all = { scopes: ['openid', 'notes.read'], prompts: new Set(['consent']), unidentified: true }
  expect(stepFor({ ...all, decision: 'allowed' })).toBe('done')
  expect(stepFor({ ...all, decision: 'denied' })).toBe('deny')
  expect(stepFor({ ...all, decision: 'allowed' }, { connection: undefined })).toBe('consent')
})

test('a declined scope is not asked for again without prompt=consent, a new one is', () => {
  const connection = { scopes: ['openid'], declined: ['email'] }
  expect(stepFor({}, { connection })).toBe('done')
  expect(stepFor({ prompts: new Set(['consent']) }, { connection })).toBe('consent')
  expect(stepFor({ scopes: ['openid', 'email', 'phone'] }, { connection })).toBe('consent')
})
