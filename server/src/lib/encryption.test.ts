import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const { encrypt, decrypt } = createEncryption('a secret of at least thirty-two characters')

test('a value encrypted for one context cannot be decrypted in another', () => {
  expect(decrypt(encrypt('Ana', 'mail 1'), 'mail 1')).toBe('Ana')
  expect(() => decrypt(encrypt('Ana', 'mail 1'), 'mail 2')).toThrow()
})

test('a shorter authentication tag, which is easier to guess, is refused', () => {
  // 12 bytes are the nonce, and the tag has 16.
  const sealed = Buffer.from(encrypt('', 'mail 1'), 'base64url')
  expect(decrypt(sealed.toString('base64url'), 'mail 1')).toBe('')
  for (const length of [0, 4, 8, 12, 15])
    expect(() => decrypt(sealed.subarray(0, 12 + length).toString('base64url'), 'mail 1')).toThrow()
})
