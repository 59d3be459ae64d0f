import { describe, expect, test } from 'vitest'
import { patternOf, rejectCycles } from './page-plan.ts'

describe('patternOf', () => {
  test.each([
    ['/', '/', {}],
    ['/home', '/home/', {}],
    ['/confirm-email/$token', '/confirm-email/a.b-c', { token: 'a.b-c' }],
    ['/your-info/{-$info}', '/your-info', { info: undefined }],
    ['/your-info/{-$info}', '/your-info/email', { info: 'email' }],
    ['/developers/{-$id}/applications/$app', '/developers/applications/x', { id: undefined, app: 'x' }],
    ['/developers/{-$id}/applications/$app', '/developers/j/applications/x', { id: 'j', app: 'x' }],
  ])('%s matches %s', (path, address, params) => {
    expect({ ...new RegExp(patternOf(path)).exec(address)?.groups }).toEqual(params)
  })

  test.each([
    ['/', '//'],
    ['/home', '/home/x'],
    ['/home', '/homes'],
    ['/confirm-email/$token', '/confirm-email'],
    ['/confirm-email/$token', '/confirm-email/a/b'],
  ])('%s does not match %s', (path, address) => {
    expect(new RegExp(patternOf(path)).test(address)).toBe(false)
  })
})

test('rejects chunks that import each other', () => {
  const chunk = (...imports: string[]) => ({ file: 'x.js', imports })
  expect(() => rejectCycles({ main: chunk('parts', 'vendor'), parts: chunk('vendor'), vendor: chunk() })).not.toThrow()
  expect(() => rejectCycles({ main: chunk('parts'), parts: chunk('main') })).toThrow('main → parts → main')
})
