import { expect, test } from 'vitest'
import { groupsOf } from './consent-groups.ts'

const scope = (key: string, sensitive = false) => {
  return { key, sensitive, title: key, description: '', granted: false, required: false }
}
const keys = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ name, scopes }) => [name, scopes.map(({ key }) => key)])

test('lists up to six scopes in one group, sensitive ones first', () => {
  const asked = [scope('openid'), scope('ferry.read'), scope('ferry.pay', true)]
  expect(keys(groupsOf(asked))).toEqual([[undefined, ['ferry.pay', 'openid', 'ferry.read']]])
})

test('groups more than six scopes and omits empty groups', () => {
  const asked = ['openid', 'profile', 'email', 'offline_access', 'ferry.read', 'ferry.book'].map((key) => scope(key))
  const grouped = [
    ['group.you', ['openid', 'profile', 'email']],
    ['group.actions', ['offline_access', 'ferry.read', 'ferry.book', 'ferry.seat']],
  ]
  expect(keys(groupsOf([...asked, scope('ferry.seat')]))).toEqual(grouped)
  expect(keys(groupsOf([...asked, scope('ferry.seat'), scope('ferry.pay', true)]))).toEqual([
    ['sensitive', ['ferry.pay']],
    ...grouped,
  ])
})
