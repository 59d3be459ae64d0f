import { expect, test, vi } from 'vitest'
import { objection } from './picture-format.ts'

const BYTES = 300_000
/** A JPEG by its first bytes. */
function jpegWith(text: string, { at = 3, filler = 'a' } = {}): Buffer {
  const bytes = Buffer.alloc(BYTES, filler)
  bytes.write('ffd8ff', 'hex')
  bytes.write(text, at)
  return bytes
}

test('a page in a picture is found at any offset', () => {
  for (const at of [3, 65_530, 65_536, BYTES - 5]) expect(objection(jpegWith('<Html', { at }))).toBe('polyglot')
  expect(objection(jpegWith('<!DOCTYPE html', { at: 2 * 65_536 - 7 }))).toBe('polyglot')
  expect(objection(jpegWith('<htm'))).toBeUndefined()
})

// Ten megabytes of it kept the server from answering others for more than a second.
test('a searched picture gives the same result in any number of steps', () => {
  const steps = (bytes: Buffer) => {
    const decode = vi.spyOn(bytes, 'toString')
    expect(objection(bytes)).toBeUndefined()
    return decode.mock.calls.length
  }
  expect(steps(jpegWith('', { filler: '<' }))).toBe(steps(jpegWith('')))
})
