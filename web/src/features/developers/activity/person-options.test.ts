import type { MemberInfo } from '@vrata/contract/members'
import { expect, test } from 'vitest'
import { personOptions } from './person-options.ts'

function member(id: string, first_name: string): MemberInfo {
  const user = { id, first_name, last_name: '', username: null, email: `${id}@example.com`, profile_picture: null }
  return { id: `m-${id}`, user, permission: 'member', joined_at: '2026-11-21T10:00:00Z', pending: false }
}

const team = [member('1', 'Čeh'), member('2', 'Cvetka'), member('3', 'Ana')]
const namesIn = (...[members, rows, locale]: Parameters<typeof personOptions>) =>
  personOptions(members, rows, locale).map(([, name]) => name)

test('the people of the filter are in the order of the language of the page', () => {
  expect(namesIn(team, [], 'sl-SI')).toEqual(['Ana', 'Cvetka', 'Čeh'])
  expect(namesIn(team, [], 'en-US')).toEqual(['Ana', 'Čeh', 'Cvetka'])
})

test('the people of the filter are the members and those named by the rows, without invitations', () => {
  const invited = { ...member('4', 'Dana'), pending: true }
  const row = {
    id: 'a',
    type: 'JOINED' as const,
    created_at: '2026-11-21T10:00:00Z',
    user: { id: '5', name: 'Bor', profile_picture: null },
    app: null,
    params: {},
  }
  expect(namesIn([...team, invited], [row], 'sl-SI')).toEqual(['Ana', 'Bor', 'Cvetka', 'Čeh'])
})
