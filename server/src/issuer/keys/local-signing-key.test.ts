import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { compactVerify } from 'jose'
import { expect, test } from 'vitest'
import { LocalSigningKey } from './local-signing-key.ts'
import type { Algorithm } from './signing-keys.ts'

const PAIRS: Record<Algorithm, () => { privateKey: KeyObject }> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

test.each(Object.keys(PAIRS) as Algorithm[])('jose verifies signatures of a %s key', async (alg) => {
  const jwk = PAIRS[alg]().privateKey.export({ format: 'jwk' }) as never
  const key = new LocalSigningKey({ kid: 'one', alg, jwk })
  const input = [{ alg, kid: 'one' }, { sub: 'ana' }].map((part) => toBase64url(JSON.stringify(part))).join('.')
  const token = `${input}.${toBase64url(await key.sign(Buffer.from(input)))}`
  await expect(compactVerify(token, key.keyObject())).resolves.toBeTruthy()
})

test('ES256 signatures have 64 bytes, also when an integer is shorter', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = new LocalSigningKey({
    kid: 'one',
    alg: 'ES256',
    jwk: privateKey.export({ format: 'jwk' }) as never,
  })
  let short = false
  // One integer of 256 has a leading zero byte.
  for (let i = 0; i < 3000 && !short; i += 1) {
    const data = Buffer.from(`data ${i}`)
    const signature = await key.sign(data)
    short = signature[0] === 0 || signature[32] === 0
    const ok = verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
    expect([signature.length, ok]).toEqual([64, true])
  }
  expect(short).toBe(true)
})

function toBase64url(data: string | Uint8Array): string {
  return Buffer.from(data as Uint8Array).toString('base64url')
}
