import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const openssl = async (folder: string, ...args: string[]) =>
  void (await promisify(execFile)('openssl', args, { cwd: folder }))
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** A certificate with its key, in PEM. */
export interface KeyAndCertificate {
  cert: string
  key: string
}

/** Certificates that openssl has made, as an operator and the developers of apps do. */
export interface CertificateFiles {
  folder: string
  /** Certificate of the operator's own authority, which has issued the certificates of the proxy and of `app`. */
  authority: string
  /** Subject `CN=Robot,O=Example`. */
  app: KeyAndCertificate
  /** With the same subject, issued by the same authority. */
  otherApp: KeyAndCertificate
  /** Self-signed, with the same subject. */
  selfSigned: KeyAndCertificate
}

/** Makes an authority and certificates for the host names; the files of the proxy have the names of the guide. */
export async function makeCertificates(hosts: readonly string[]): Promise<CertificateFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'vrata-proxy-'))
  const run = (...args: string[]) => openssl(folder, ...args)
  const read = async (name: string) => ({
    cert: await readFile(join(folder, `${name}.crt`), 'utf8'),
    key: await readFile(join(folder, `${name}.key`), 'utf8'),
  })
  const sign = async (name: string, subject: string, extensions: string) => {
    await writeFile(join(folder, `${name}.ext`), extensions)
    await run('req', ...EC, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject)
    const by = ['-CA', 'client-authorities.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-days', '1']
    await run('x509', '-req', '-in', `${name}.csr`, ...by, '-extfile', `${name}.ext`, '-out', `${name}.crt`)
  }
  await run(
    'req',
    '-x509',
    ...EC,
    '-keyout',
    'authority.key',
    '-out',
    'client-authorities.pem',
    '-days',
    '1',
    '-subj',
    '/CN=Authority',
  )
  for (const host of hosts) {
    await sign(host, `/CN=${host}`, `subjectAltName=DNS:${host}`)
    // HAProxy reads certificate and key from one file.
    const { cert, key } = await read(host)
    await writeFile(join(folder, `${host}.pem`), cert + key)
  }
  const subject = '/O=Example/CN=Robot'
  for (const name of ['app', 'other']) await sign(name, subject, 'extendedKeyUsage=clientAuth')
  await run('req', '-x509', ...EC, '-keyout', 'self.key', '-out', 'self.crt', '-days', '1', '-subj', subject)
  const [app, otherApp, selfSigned] = [await read('app'), await read('other'), await read('self')]
  const authority = await readFile(join(folder, 'client-authorities.pem'), 'utf8')
  return { folder, authority, app, otherApp, selfSigned }
}
