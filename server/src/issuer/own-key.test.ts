import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { compactVerify } from 'jose'
import { expect, test } from 'vitest'
import type { Algorithm } from './keys.ts'
import { joined, OwnKey } from './own-key.ts'

const PAIRS: Record<Algorithm, () => { privateKey: KeyObject }> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

test.each(Object.keys(PAIRS) as Algorithm[])('what our key signs with %s, others verify', async (alg) => {
  const jwk = PAIRS[alg]().privateKey.export({ format: 'jwk' }) as never
  const key = new OwnKey({ kid: 'one', alg, state: 'active', jwk })
  const input = [{ alg, kid: 'one' }, { sub: 'ana' }].map((part) => toBase64url(JSON.stringify(part))).join('.')
  const token = `${input}.${toBase64url(key.sign(Buffer.from(input)))}`
  await expect(compactVerify(token, key.keyObject())).resolves.toBeTruthy()
})

test('numbers that are shorter than others stand in their place', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const lengths = new Set<number>()
  // A number is a byte short once in 256 times, and led by a zero every other time.
  for (let i = 0; i < 3000 && !(lengths.has(69) && lengths.has(72)); i += 1) {
    const data = Buffer.from(`data ${i}`)
    const der = sign('sha256', data, privateKey)
    lengths.add(der.length)
    const ok = verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, joined(der))
    expect([der.length, ok]).toEqual([der.length, true])
  }
  expect([...lengths]).toEqual(expect.arrayContaining([69, 72]))
})

function toBase64url(data: string | Uint8Array): string {
  return Buffer.from(data as Uint8Array).toString('base64url')
}
