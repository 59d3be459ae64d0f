import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { outputOf } from '../../test/processes/output-of.ts'
import { ConfigError, readConfig } from './config.ts'
import { readOrCreateSecret } from './secret-files.ts'

const folders: string[] = []
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'vrata-config-'))
  folders.push(made)
  return made
}
afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true })
})

describe('settings', () => {
  test('the defaults are loopback, SQLite and a generated secret', () => {
    const VRATA_DATA_DIR = folder()
    const config = readConfig({ VRATA_DATA_DIR })
    expect(config).toMatchObject({ url: 'http://localhost:3000', host: 'localhost', port: 3000, secure: false })
    expect(config.database_url).toBeUndefined()
    expect(config.web_origins).toEqual(['http://localhost:3000'])
  })

  test('the secret is generated once, and stored with mode 0600', () => {
    const VRATA_DATA_DIR = folder()
    const first = readConfig({ VRATA_DATA_DIR })
    expect(first.secret_is_new).toBe(true)
    expect(readdirSync(VRATA_DATA_DIR)).toEqual([])
    expect(readOrCreateSecret(VRATA_DATA_DIR, first.secret)).toBe(first.secret)
    expect(readConfig({ VRATA_DATA_DIR })).toMatchObject({ secret: first.secret, secret_is_new: false })
    const file = join(VRATA_DATA_DIR, 'secret')
    expect(readFileSync(file, 'utf8').trim()).toBe(first.secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(first.secret.length).toBeGreaterThanOrEqual(64)
  })

  test('a secret that could not be written is made at the next start', async () => {
    const VRATA_DATA_DIR = folder()
    const files = JSON.stringify(join(import.meta.dirname, 'secret-files.ts'))
    const program = `const { readOrCreateSecret } = await import(${files})
      try { readOrCreateSecret('${VRATA_DATA_DIR}') } catch ({ code }) { console.log(code) }`
    expect(await outputOf(program, { fileBlocks: 0 })).toBe('EFBIG\n')
    expect(readdirSync(VRATA_DATA_DIR)).toEqual([])
    expect(readOrCreateSecret(VRATA_DATA_DIR).length).toBeGreaterThanOrEqual(64)
  })

  test('two that create the secret at once get the same, also as first processes of two containers', async () => {
    const dataDir = folder()
    const program = `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const link = fs.linkSync
      let other
      // Another process with the same number creates it in between.
      fs.linkSync = (...given) => {
        fs.linkSync = link
        syncBuiltinESMExports()
        other = readOrCreateSecret('${dataDir}')
        return link(...given)
      }
      syncBuiltinESMExports()
      const { readOrCreateSecret } = await import(${JSON.stringify(join(import.meta.dirname, 'secret-files.ts'))})
      const own = readOrCreateSecret('${dataDir}')
      console.log(own === other && own === fs.readFileSync('${dataDir}/secret', 'utf8').trim())`
    expect(await outputOf(program)).toBe('true\n')
    expect(readdirSync(dataDir)).toEqual(['secret'])
  })

  // Without it a loss of power can bring the former name of the file back, after everything was encrypted with the new secret.
  test('a secret is on the disk with its name before anything is encrypted with it', async () => {
    const dataDir = folder()
    const program = `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const done = []
      for (const name of ['linkSync', 'renameSync', 'fsyncSync']) {
        const real = fs[name]
        fs[name] = (...given) => {
          const what = name === 'fsyncSync' ? (fs.fstatSync(given[0]).isDirectory() ? 'folder' : 'file') : given[1]
          done.push(name + ' ' + what)
          return real(...given)
        }
      }
      syncBuiltinESMExports()
      const { readOrCreateSecret, replaceSecret } = await import(${JSON.stringify(join(import.meta.dirname, 'secret-files.ts'))})
      const first = readOrCreateSecret('${dataDir}')
      replaceSecret('${dataDir}', first, 'the secret that replaces it after an incident')
      console.log(done.filter((one) => one !== 'fsyncSync file').join('; '))`
    const file = (name: string) => join(dataDir, name)
    expect((await outputOf(program)).trim().split('; ')).toEqual([
      `linkSync ${file('secret')}`,
      'fsyncSync folder',
      `linkSync ${file('secret.old')}`,
      'fsyncSync folder',
      `renameSync ${file('secret')}`,
      'fsyncSync folder',
    ])
  })

  test.each(['', 'half of a secr'])('a file with the secret %j is not used', (content) => {
    const VRATA_DATA_DIR = folder()
    writeFileSync(join(VRATA_DATA_DIR, 'secret'), content)
    expect(() => readConfig({ VRATA_DATA_DIR })).toThrow(ConfigError)
    expect(() => readConfig({ VRATA_DATA_DIR })).toThrow('is not complete')
  })

  test('the audit sink is stdout, a file or an https address', () => {
    const sink = (VRATA_AUDIT_SINK: string) => readConfig({ VRATA_DATA_DIR: folder(), VRATA_AUDIT_SINK }).audit.sink
    expect(sink('stdout')).toEqual({ to: 'stdout' })
    expect(sink('file:/var/log/vrata.ndjson')).toEqual({ to: 'file', path: '/var/log/vrata.ndjson' })
    expect(sink('https://log.example.com/in')).toEqual({ to: 'web', url: 'https://log.example.com/in' })
    for (const wrong of ['http://log.example.com', 'file:', 'syslog', 'ftp://example.com'])
      expect(() => sink(wrong)).toThrow('VRATA_AUDIT_SINK: must be stdout, file:PATH or an https address')
    expect(() => sink('https://vrata:50%25off@siem.example')).not.toThrow()
    expect(() => sink('https://vrata:50%off@siem.example')).toThrow('VRATA_AUDIT_SINK: must have')
  })

  test('with a public URL the server listens on all interfaces', () => {
    const config = readConfig({ VRATA_DATA_DIR: folder(), VRATA_URL: 'https://accounts.example.com/' })
    expect(config).toMatchObject({ url: 'https://accounts.example.com', secure: true, host: '0.0.0.0' })
  })

  test.each([
    ['VRATA_URL', 'accounts.example.com', 'must be an http or https URL'],
    ['VRATA_URL', 'https://example.com/accounts', 'must have no path'],
    ['PORT', 'three thousand', 'must be a number'],
    ['VRATA_DATABASE_URL', 'mysql://localhost/vrata', 'must start with postgres://'],
    ['VRATA_DATABASE_LISTEN_URL', 'postgres://db/vrata', 'must be set with VRATA_DATABASE_URL'],
    ['VRATA_DATABASE_REPLICA_URL', 'postgres://db/vrata', 'must be set with VRATA_DATABASE_URL'],
    ['VRATA_DATA_DIR', '/proc/vrata', 'must be a folder on a disk'],
    ['VRATA_DRAIN_SECONDS', '-1', 'must be from 0 to 300'],
    ['VRATA_SMTP_URL', 'https://mail.example.com', 'must start with smtp://'],
    ['VRATA_SMTP_URL', 'smtp://vrata:pa/ss@mail.example.com', 'written as %2F'],
    ['VRATA_SMTP_URL', 'smtp://vrata:50%@mail.example.com', '%25'],
    ['VRATA_SMTP_URL', 'smtp://', 'must be a URL'],
    ['VRATA_DATABASE_URL', 'postgres://vrata:pa/ss@localhost/vrata', 'written as %2F'],
    ['VRATA_DATABASE_URL', 'postgres://vrata:50%@localhost/vrata', '%25'],
    ['VRATA_MEDIA_URL', 's3://bucket/50%?region=eu', '%25'],
    ['VRATA_MAIL_FROM', 'Vrata', 'such as Example <no-reply@example.com>'],
    ['VRATA_TRUST_PROXY', 'proxy.example.com', 'networks such as 10.0.0.0/24'],
    ['VRATA_TRUST_PROXY', '10.0.0.0/99', 'networks such as'],
    ['VRATA_SECRET', 'too short', 'at least 32 characters'],
    ['VRATA_TRUST_PROXY', '1', 'a number of proxies is not accepted'],
    ['VRATA_LOG_LEVEL', 'loud', 'VRATA_LOG_LEVEL'],
    ['VRATA_PASSWORD_COST', 'm=9216,t=4,p=1', 'm=19456,t=2,p=1, which is the least'],
    ['VRATA_PASSWORD_COST', '50 ms', 'doctor --hash'],
    ['VRATA_MTLS_HEADER', 'X-Client-Cert', 'a space and pem, der, rfc9440'],
    ['VRATA_MTLS_HEADER', 'X-Client-Cert pem', 'needs VRATA_TRUST_PROXY'],
    ['VRATA_MTLS_VERIFIED_HEADER', 'X: SUCCESS', 'must be the name of a header'],
    ['VRATA_MTLS_URL', 'mtls.example.com', 'must be an http or https URL'],
    ['VRATA_METRICS_TOKEN', 'short', 'at least 16 characters'],
    ['VRATA_METRICS_LISTEN', '9464', 'must be an address and a port'],
    ['VRATA_METRICS_LISTEN', '127.0.0.1:99999', 'must be an address and a port'],
    ['VRATA_WEB_ORIGINS', 'https://a.example/path', 'is not an origin'],
    // Its cookies would not reach the pages and `/authorize`.
    ['VRATA_API_URL', 'https://api.example.com', 'must have the scheme and host name of VRATA_URL'],
    ['VRATA_MAIL_FROM', 'Vrata\r\nBcc: eve@example.com', 'must be one line'],
  ])('%s=%s stops the start with an error message', (name, value, says) => {
    const read = () => readConfig({ VRATA_DATA_DIR: folder(), [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
    expect(read).toThrow(says)
  })

  test('client certificates are accepted from listed proxies only', () => {
    const VRATA_DATA_DIR = folder()
    const read = (settings: Record<string, string>) => readConfig({ VRATA_DATA_DIR, ...settings }).mtls
    expect(read({})).toBeUndefined()
    const VRATA_MTLS_HEADER = 'Client-Cert rfc9440'
    expect(read({ VRATA_MTLS_HEADER, VRATA_TRUST_PROXY: 'loopback' })).toEqual({
      header: 'client-cert',
      format: 'rfc9440',
      verified_header: undefined,
      url: undefined,
    })
    expect(() => read({ VRATA_MTLS_HEADER, VRATA_TRUST_PROXY: 'true' })).toThrow('not true')
    expect(() => read({ VRATA_MTLS_URL: 'https://mtls.example.com' })).toThrow('VRATA_MTLS_HEADER: must be set')
  })

  test('all invalid settings are reported together', () => {
    const wrong = (env: Record<string, string>) => {
      try {
        readConfig(env)
      } catch (error) {
        return error instanceof ConfigError && error.message.split('\n').map((line) => line.split(':')[0])
      }
      return []
    }
    const all = { VRATA_URL: 'x', PORT: 'x', VRATA_MEDIA_URL: 'y', VRATA_SECRET: 'x', VRATA_WEB_ORIGINS: 'x' }
    expect(wrong(all)).toEqual(Object.keys(all))
    const url = 'postgres://localhost/vrata'
    const beside = { VRATA_DATABASE_LISTEN_URL: url, VRATA_DATABASE_REPLICA_URL: url }
    expect(
      wrong({ ...beside, VRATA_MEDIA_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'x', VRATA_MTLS_VERIFIED_HEADER: 'x' }),
    ).toEqual([...Object.keys(beside), 'AWS_ACCESS_KEY_ID', 'VRATA_MTLS_HEADER'])
  })

  test.each(['', ' ', '\t'])('a variable without a value, %j, counts as unset', (none) => {
    const config = readConfig({ VRATA_DATA_DIR: folder(), VRATA_SMTP_URL: none, PORT: none, VRATA_DRAIN_SECONDS: none })
    expect(config).toMatchObject({ port: 3000, drain_seconds: 5, smtp_url: undefined })
  })
})
