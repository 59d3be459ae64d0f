import type { SessionInfo } from '@vrata/contract/sessions'
import { expect, test } from 'vitest'
import { devicesOf, endableSessions } from './devices.ts'

const session = (id: string, browser: string, last_seen: string, current = false): SessionInfo => ({
  id,
  device_id: null,
  device_name: null,
  browser,
  os: 'Linux',
  app: null,
  apps: [],
  unknown: false,
  last_seen,
  location: null,
  ip: '192.0.2.1',
  current,
  created_at: '2026-11-01T00:00:00.000Z',
  age: 0,
  methods: ['pwd'],
})

test('groups sessions by device, the current one first, then by last use (product §2.2)', () => {
  const devices = devicesOf([
    session('old', 'Chrome', '2026-11-02T00:00:00.000Z'),
    session('twin', 'Firefox', '2026-11-20T00:00:00.000Z'),
    session('here', 'Firefox', '2026-11-03T00:00:00.000Z', true),
    session('new', 'Safari', '2026-11-19T00:00:00.000Z'),
  ])
  expect(devices.map(({ browser, sessions }) => [browser, ...sessions.map(({ id }) => id)])).toEqual([
    ['Firefox', 'here', 'twin'],
    ['Safari', 'new'],
    ['Chrome', 'old'],
  ])
  expect(devices.map((device) => endableSessions(device).map(({ id }) => id))).toEqual([['twin'], ['new'], ['old']])
})

test('groups by the browser itself: two that look the same are two devices', () => {
  const [laptop, other] = ['laptop', 'other'].map((device_id) => ({
    ...session(device_id, 'Firefox', '2026-11-20T00:00:00.000Z'),
    device_id,
  })) as [SessionInfo, SessionInfo]
  const again = { ...laptop, id: 'again', browser: 'Firefox 2', last_seen: '2026-11-21T00:00:00.000Z' }
  expect(devicesOf([laptop, other, again]).map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([
    ['again', 'laptop'],
    ['other'],
  ])
})

test('keeps an unconfirmed device separate from one that looks the same', () => {
  const devices = devicesOf([
    session('here', 'Firefox', '2026-11-03T00:00:00.000Z', true),
    session('mine', 'Firefox', '2026-11-20T00:00:00.000Z'),
    { ...session('whose', 'Firefox', '2026-11-21T00:00:00.000Z'), unknown: true },
  ])
  expect(devices.map(({ unknown, sessions }) => [unknown, ...sessions.map(({ id }) => id)])).toEqual([
    [false, 'here', 'mine'],
    [true, 'whose'],
  ])
})

test('keeps the key of a new device when it is confirmed, so that its element and the focus stay', () => {
  const laptop = { ...session('laptop', 'Firefox', '2026-11-20T00:00:00.000Z'), device_id: 'laptop' }
  const keys = (unknown: boolean) => devicesOf([{ ...laptop, unknown }]).map(({ key }) => key)
  expect(keys(true)).toEqual(keys(false))
  // A session of it that is not confirmed is listed by itself.
  expect(new Set(devicesOf([laptop, { ...laptop, id: 'whose', unknown: true }]).map(({ key }) => key)).size).toBe(2)
})
