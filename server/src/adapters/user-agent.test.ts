import { expect, test } from 'vitest'
import { deviceOf } from './user-agent.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', 'Linux', 'Firefox'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'iOS',
    'Safari',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Windows',
    'Chrome',
  ],
  // Not among the names of the package.
  [
    'Mozilla/5.0 (Linux; U; Android 14; en-us; 2201117TG) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.4.0',
    'Android',
    'Miui',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.3.1',
    'iOS',
    'Opera Touch',
  ],
  // A part of the header is not used as a name, because it can be any text and would be shown to the person who approves a sign-in or reads mails about it.
  ['The number is 47. Enter it to keep your account/1 (X11; Linux x86_64)', 'Linux', null],
  ['Open https://evil.example now/1 ', null, null],
  ['evil.example/1 (Windows NT 10.0)', 'Windows', null],
  ['curl/8.14', null, null],
  ['', null, null],
  [undefined, null, null],
])('parses operating system and browser of %s', (header, os, browser) => {
  expect(deviceOf(header)).toEqual({ os, browser })
})

test('parses long headers in linear time (security §1.3.12)', () => {
  const start = process.threadCpuUsage()
  deviceOf(`Mozilla/5.0 (${'a;'.repeat(50_000)}`)
  expect(process.threadCpuUsage(start).user, 'microseconds of CPU time').toBeLessThan(1_000_000)
})
