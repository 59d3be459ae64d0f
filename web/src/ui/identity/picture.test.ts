import { expect, onTestFinished, test, vi } from 'vitest'
import { initials, pictureAddress } from './picture.tsx'

test.each([
  ['a bare file name comes from the API', 'user', 'ana.webp', '', '/v1/media/ana.webp'],
  ['… of the origin that was set', 'user', 'ana.webp', 'https://api.example', 'https://api.example/v1/media/ana.webp'],
  ['a value with :// is a full address', 'developer', 'https://cdn.example/a.png', '', 'https://cdn.example/a.png'],
  ['an app icon with a slash is a full address', 'app', '/icons/jadrolet.png', '', '/icons/jadrolet.png'],
  [
    'a name with a slash that is no app cannot leave the media folder',
    'user',
    '../account',
    '',
    '/v1/media/..%2Faccount',
  ],
] as const)('picture address (product §3.10): %s', (_, kind, url, origin, address) => {
  expect(pictureAddress(kind, url, origin)).toBe(address)
})

test.each([
  ['Ana Kovač', 'AK'],
  ['Ana Marija Šuštar', 'AŠ'],
  ['jadrolet', 'J'],
  ['  ', ''],
  ['(Kraški) studio', 'S'],
])('takes from "%s" the initials "%s"', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('makes the same initials in a browser in Turkish as on the server', () => {
  const inTurkish = vi.spyOn(String.prototype, 'toLocaleUpperCase').mockReturnValue('İ')
  onTestFinished(() => inTurkish.mockRestore())
  expect(initials('ivo ivić')).toBe('II')
})
