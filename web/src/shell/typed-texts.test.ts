// @vitest-environment jsdom
import type { AnyRouter } from '@tanstack/react-router'
import type { UserInfo } from '@vrata/contract/account'
import { afterEach, expect, test } from 'vitest'
import { createAppContext } from '../app.tsx'
import { setUser } from '../lib/session.ts'
import { keepTypedTexts } from './typed-texts.ts'

const ana = { id: 'ana', developer_accounts: [] } as unknown as UserInfo
const bor = { ...ana, id: 'bor' } as UserInfo
const FORM = `<form><label>Name <input name="name" value="Jadrolet"></label><textarea name="about"></textarea>
  <input name="password" type="password"><input name="shown" autocomplete="new-password"><input name="of" type="checkbox"></form>
  <form><label>Other <input name="name" value="Jadrolet"></label></form>`

afterEach(() => {
  document.body.innerHTML = ''
  history.replaceState(null, '', '/')
})

/** A page of Ana, in whose fields she has typed. */
function open(form = FORM) {
  type Navigation = {
    fromLocation: { pathname: string }
    toLocation: { pathname: string; search: object }
    pathChanged: boolean
  }
  let navigated: (to: Navigation) => void = () => {}
  const router = { subscribe: (_: string, run: typeof navigated) => (navigated = run) } as unknown as AnyRouter
  const context = createAppContext({ locale: 'en-US', api_base: '', user: ana, refresh: false })
  keepTypedTexts(context, router)
  const go = (pathname: string, search = {}) => {
    navigated({ fromLocation: location, toLocation: { pathname, search }, pathChanged: true })
    history.replaceState(null, '', pathname)
  }
  history.replaceState(null, '', '/apps')
  document.body.innerHTML = form
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) field.value = 'Vodnik'
  const leave = (search: object) => {
    go('/logout', search)
    document.body.innerHTML = ''
    setUser(context, null)
  }
  return { go, leave, as: (user: UserInfo) => setUser(context, user) }
}

async function shown(form = FORM) {
  document.body.innerHTML = form
  await Promise.resolve()
  const all = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
  return all.map(({ name, value, type }) => (type === 'checkbox' ? '' : `${name}: ${value}`)).filter(Boolean)
}

const typed = ['name: Vodnik', 'about: Vodnik', 'password: ', 'shown: ', 'name: Vodnik']
const empty = ['name: Jadrolet', 'about: ', 'password: ', 'shown: ', 'name: Jadrolet']
const ended = { redirect: '/apps' }

test('text typed when the session ended is restored for the same person, once', async () => {
  const { go, leave, as } = open()
  leave(ended)
  expect(await shown()).toEqual(empty)
  as(ana)
  go('/apps')
  expect(await shown()).toEqual(typed)
  expect(await shown()).toEqual(empty)
})

test('another person does not get it, nor its writer after them', async () => {
  const { go, leave, as } = open()
  leave(ended)
  as(bor)
  go('/apps')
  expect(await shown()).toEqual(empty)
  as(ana)
  expect(await shown()).toEqual(empty)
})

test('it is forgotten when its writer leaves the page', async () => {
  const { go, leave, as } = open()
  leave(ended)
  as(ana)
  go('/apps')
  go('/home')
  go('/apps')
  expect(await shown()).toEqual(empty)
})

test('a sign-out keeps no typed text', async () => {
  const { go, leave, as } = open()
  leave({})
  as(ana)
  go('/apps')
  expect(await shown()).toEqual(empty)
})

test('a code is not kept: it may be one for recovery, and a field for codes sends it by itself', async () => {
  const form = '<form><label>Code <input name="code" autocomplete="one-time-code"></label></form>'
  const { go, leave, as } = open(form)
  leave(ended)
  as(ana)
  go('/apps')
  expect(await shown(form)).toEqual(['code: '])
})

test('text typed about one app is not restored in the dialog of another one', async () => {
  const dialog = (app: string) =>
    `<div role="dialog"><h2>Approve ${app}?</h2><form><label>Reason <textarea name="reason"></textarea></label></form></div>`
  const { go, leave, as } = open(dialog('Jadrolet'))
  leave(ended)
  as(ana)
  go('/apps')
  expect(await shown(dialog('Burja'))).toEqual(['reason: '])
  expect(await shown(dialog('Jadrolet'))).toEqual(['reason: Vodnik'])
})

test('each of two identical fields gets its own text', async () => {
  const field = '<label>Name <input name="name"></label>'
  const { go, leave, as } = open(`<form>${field}${field}</form>`)
  const [first, second] = document.querySelectorAll('input')
  Object.assign(first ?? {}, { value: 'one' })
  Object.assign(second ?? {}, { value: 'two' })
  leave(ended)
  as(ana)
  go('/apps')
  expect(await shown(`<form>${field}${field}</form>`)).toEqual(['name: one', 'name: two'])
})
