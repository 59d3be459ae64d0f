import { describe, expect, test } from 'vitest'
import { patternOf, refuseCycles } from './plan.ts'

describe('a path of the route table, as the server matches it', () => {
  test.each([
    ['/', '/', {}],
    ['/home', '/home/', {}],
    ['/confirm-email/$token', '/confirm-email/a.b-c', { token: 'a.b-c' }],
    ['/your-info/{-$info}', '/your-info', { info: undefined }],
    ['/your-info/{-$info}', '/your-info/email', { info: 'email' }],
    ['/developers/{-$id}/applications/$app', '/developers/applications/x', { id: undefined, app: 'x' }],
    ['/developers/{-$id}/applications/$app', '/developers/j/applications/x', { id: 'j', app: 'x' }],
  ])('%s takes %s', (path, address, params) => {
    expect({ ...new RegExp(patternOf(path)).exec(address)?.groups }).toEqual(params)
  })

  test.each([
    ['/', '//'],
    ['/home', '/home/x'],
    ['/home', '/homes'],
    ['/confirm-email/$token', '/confirm-email'],
    ['/confirm-email/$token', '/confirm-email/a/b'],
  ])('%s does not take %s', (path, address) => {
    expect(new RegExp(patternOf(path)).test(address)).toBe(false)
  })
})

test('built files that import each other stop the build', () => {
  const chunk = (...imports: string[]) => ({ file: 'x.js', imports })
  expect(() => refuseCycles({ main: chunk('parts', 'vendor'), parts: chunk('vendor'), vendor: chunk() })).not.toThrow()
  expect(() => refuseCycles({ main: chunk('parts'), parts: chunk('main') })).toThrow('main → parts → main')
})
