import type { SessionInfo } from '@vrata/contract/auth'
import { expect, test } from 'vitest'
import { devicesOf, endable } from './devices.ts'

const session = (id: string, browser: string, last_seen: string, current = false): SessionInfo => ({
  id,
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
  methods: ['pwd'],
})

test('§2 sessions of one browser are one device, this one first, the others by last use', () => {
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
  expect(devices.map((device) => endable(device).map(({ id }) => id))).toEqual([['twin'], ['new'], ['old']])
})

test('a device that is not known stands alone, though it is of the same kind as this one', () => {
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
