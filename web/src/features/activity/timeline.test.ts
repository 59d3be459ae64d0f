import type { Activity } from '@vrata/contract/activity'
import { formats } from '@vrata/phrases/format'
import { expect, test } from 'vitest'
import { timeline } from './timeline.ts'

const jadrolet = { client_id: 'jadrolet', name: 'Jadrolet', icon: null }
let count = 0

function happened(type: Activity['type'], created_at: string, more: Partial<Activity> = {}): Activity {
  const device = { os: 'Linux', browser: 'Chromium', location: null, ip: '127.0.0.1' }
  return { id: String(++count), type, created_at, age: 0, ...device, session_id: 's1', session: 'open', ...more }
}

const summary = (rows: Activity[]) =>
  timeline(rows, formats('en-US')).map(({ date, entries }) => [
    date,
    ...entries.map(({ newest, all }) => `${newest.type} ${all.length}`),
  ])

test('groups sign-ins to an app in one session by day', () => {
  const rows = [
    happened('LOGGED_IN_TO_APP', '2026-11-21T12:00:00', { app: jadrolet }),
    happened('CHANGED_PASSWORD', '2026-11-21T11:00:00'),
    happened('LOGGED_IN_TO_APP', '2026-11-21T10:00:00', { app: jadrolet }),
    happened('LOGGED_IN_TO_APP', '2026-11-20T10:00:00', { app: jadrolet }),
  ]
  expect(summary(rows)).toEqual([
    ['2026-11-21', 'LOGGED_IN_TO_APP 2', 'CHANGED_PASSWORD 1'],
    ['2026-11-20', 'LOGGED_IN_TO_APP 1'],
  ])
})

test('keeps other devices, apps and types separate', () => {
  const rows = [
    happened('LOGGED_IN_TO_APP', '2026-11-21T12:00:00', { app: jadrolet }),
    happened('LOGGED_IN_TO_APP', '2026-11-21T11:00:00', { app: jadrolet, session_id: 's2' }),
    happened('LOGGED_IN_TO_APP', '2026-11-21T11:00:00', { app: { ...jadrolet, client_id: 'burja' } }),
    happened('LOGGED_IN', '2026-11-21T10:00:00'),
    happened('LOGGED_IN', '2026-11-21T09:00:00'),
  ]
  expect(summary(rows)[0]).toHaveLength(1 + rows.length)
})

test('an entry keeps its key when a newer sign-in joins it, so that its element and the focus stay', () => {
  const older = happened('LOGGED_IN_TO_APP', '2026-11-21T10:00:00', { app: jadrolet })
  const newer = happened('LOGGED_IN_TO_APP', '2026-11-21T11:00:00', { app: jadrolet })
  const keysOf = (rows: Activity[]) =>
    timeline(rows, formats('en-US')).flatMap(({ entries }) => entries.map(({ key }) => key))
  expect(keysOf([older])).toEqual([expect.any(String)])
  expect(keysOf([newer, older])).toEqual(keysOf([older]))
})
