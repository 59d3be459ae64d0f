import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { escapedPem, JADROLET, OTHER } from '../../../test/client-authentication/certificates.ts'
import type { CertificateFormat } from '../../config/config.ts'
import { certificateReader } from './client-certificate.ts'

const PEM = escapedPem(JADROLET)

/** Reads a request with these headers, over a socket of the proxy unless another address is given. */
async function read(
  format: CertificateFormat,
  headers: Record<string, string | string[]>,
  remoteAddress = '127.0.0.1',
): Promise<{ cn: string; verified: boolean } | null> {
  const mtls = { header: 'x-client-cert', format, verified_header: 'x-client-verify', url: undefined }
  const certificateOf = certificateReader({ mtls, trust_proxy: 'loopback, 10.0.0.0/8' })
  const app = Fastify()
  app.get('/', async (request) => {
    const found = certificateOf(request)
    return { found: found ? { cn: /CN=(.*)/.exec(found.certificate.subject)?.[1], verified: found.verified } : null }
  })
  const answer = await app.inject({ url: '/', headers, remoteAddress })
  await app.close()
  return answer.json().found
}

const jadrolet = { cn: 'Jadrolet', verified: false }

test.each([
  ['pem', PEM],
  ['der', JADROLET],
  ['rfc9440', `:${JADROLET}:`],
] as const)('a certificate in the format %s is read', async (format, value) => {
  expect(await read(format, { 'x-client-cert': value })).toEqual(jadrolet)
  expect(await read(format, { 'x-client-cert': value, 'x-client-verify': 'SUCCESS' })).toEqual({
    ...jadrolet,
    verified: true,
  })
})

test.each([
  ['pem', ''],
  ['rfc9440', '::'],
  ['der', '{http.request.tls.client.certificate_der_base64}'],
  ['pem', JADROLET],
  ['pem', '%'],
  ['pem', `${PEM}${escapedPem(OTHER)}`],
  ['der', PEM],
  ['der', `${JADROLET}, ${OTHER}`],
  ['der', JADROLET.slice(0, 100)],
  ['rfc9440', JADROLET],
] as const)('in the format %s, %j is no certificate', async (format, value) => {
  expect(await read(format, { 'x-client-cert': value, 'x-client-verify': 'SUCCESS' })).toBeNull()
})

test('a certificate counts only from a trusted proxy', async () => {
  const headers = { 'x-client-cert': PEM, 'x-client-verify': 'SUCCESS', 'x-forwarded-for': '10.0.0.1' }
  expect(await read('pem', headers, '203.0.113.9')).toBeNull()
  expect(await read('pem', headers, '10.1.2.3')).toMatchObject({ cn: 'Jadrolet' })
})

test('a header that the client adds to that of the proxy makes both count for nothing', async () => {
  expect(await read('pem', { 'x-client-cert': [escapedPem(OTHER), PEM] })).toBeNull()
  expect(await read('pem', { 'x-client-cert': PEM, 'x-client-verify': ['SUCCESS', 'NONE'] })).toEqual(jadrolet)
  expect(await read('pem', { 'x-client-cert': PEM, 'x-client-verify': 'FAILED:self signed certificate' })).toEqual(
    jadrolet,
  )
})
