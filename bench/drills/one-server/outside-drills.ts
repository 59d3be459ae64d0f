import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from '@vrata/contract'
import { apiClient, dataOf } from '../../../testing/api-client.ts'
import { findProgram, until } from '../../cluster/program.ts'
import { MailServer } from '../mail-server.ts'
import { needsFaketime, WRONG_CLOCK } from '../wrong-clock.ts'
import { type OneServerDrill, underLoad } from './one-server.ts'

const JUMP = 600
/** Number of people who register; each registration sends a mail. */
const PEOPLE = 20

export const OUTSIDE_DRILLS: Record<string, OneServerDrill> = {
  'clock-jumped': {
    says: 'the clock of the machine jumps ten minutes forward, and then twenty back (libfaketime)',
    missing: needsFaketime,
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'vrata-clock-'))
      const file = join(folder, 'clock')
      const jump = (seconds: number) => writeFileSync(file, `${seconds >= 0 ? '+' : ''}${seconds}\n`)
      jump(0)
      const settings = {
        ...WRONG_CLOCK,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
      }
      // Tokens of the last one are asked for; back at the right time, those issued meanwhile would have expired.
      const jumps = [JUMP, -JUMP]
      const clocks: number[] = []
      const { figures, seen } = await underLoad({
        settings,
        async damage({ url }) {
          for (const seconds of jumps) {
            jump(seconds)
            await pause(8_000)
            const { headers } = await fetch(`${url}/healthz`)
            clocks.push(Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / 1000))
          }
          return { clock_s: clocks.join(' ') }
        },
      })
      rmSync(folder, { recursive: true, force: true })
      const jumped = clocks.every((seconds, i) => Math.abs(seconds - (jumps[i] ?? 0)) < 5)
      return { figures, seen, wanted: { 'the clock jumped': jumped, 'nothing fails': figures.failed === 0 } }
    },
  },
  'mail-server-hanging': {
    says: 'the mail server accepts connections and does not answer for 30 seconds, while people register',
    async run() {
      const server = new MailServer()
      const port = await server.listen()
      const settings = { VRATA_SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true` }
      return await mailDrill(server, settings, {
        begin: () => {
          server.isSilent = true
        },
        end: () => {
          server.isSilent = false
        },
      })
    },
  },
  'certificate-expired': {
    says: 'the certificate of the mail server has expired for 30 seconds, while people register',
    missing: () => (findProgram('/usr/bin/openssl') ? undefined : 'openssl is not installed'),
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'vrata-certificates-'))
      const valid = certificate(folder, 'valid', 30)
      const expired = certificate(folder, 'expired', -1)
      const server = new MailServer(valid)
      const port = await server.listen()
      const settings = { VRATA_SMTP_URL: `smtps://localhost:${port}`, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
      const outcome = await mailDrill(server, settings, {
        begin: () => server.present(expired),
        end: () => server.present(valid),
      })
      rmSync(folder, { recursive: true, force: true })
      return outcome
    },
  },
}

type Damage = { begin(): void; end(): void }

/** People register while the mail server is unwell; all of them must be mailed once it is well. */
async function mailDrill(server: MailServer, settings: Record<string, string>, { begin, end }: Damage) {
  const addresses = Array.from({ length: PEOPLE }, (_, n) => `oseba${n}@example.com`)
  const times: number[] = []
  try {
    const { figures, seen } = await underLoad({
      settings,
      outbox: server.outbox,
      async damage({ url }) {
        begin()
        const call = apiClient({ url })
        for (const email of addresses) {
          const began = performance.now()
          dataOf(
            await call(signIn.register, {
              email,
              password: 'kamen-na-kamen-palaca',
              first_name: 'Bor',
              last_name: 'Zajc',
            }),
          )
          times.push(performance.now() - began)
          await pause(30_000 / PEOPLE)
        }
        const meanwhile = countOf(server, addresses)
        end()
        const well = performance.now()
        await until('the mails', async () => countOf(server, addresses) >= PEOPLE, 180)
        const delivered_s = Math.round((performance.now() - well) / 1000)
        return { meanwhile, delivered_s, register_longest_ms: Math.round(Math.max(...times)) }
      },
    })
    const twice = server.received.length - new Set(server.received).size
    const wanted = {
      'no mail meanwhile': seen.meanwhile === 0,
      'nothing fails': figures.failed === 0,
      'nobody is mailed twice': twice === 0,
    }
    return { figures, seen: { mails: PEOPLE, ...seen, twice }, wanted }
  } finally {
    server.close()
    rmSync(join(server.outbox, '..'), { recursive: true, force: true })
  }
}

function countOf({ received }: MailServer, addresses: string[]): number {
  return addresses.filter((address) => received.some((to) => to.includes(address))).length
}

/** Makes a certificate of localhost that ends in so many days, by an authority of the folder. */
function certificate(folder: string, name: string, days: number): { key: string; cert: string } {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const request = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  if (!existsSync(join(folder, 'ca.pem')))
    openssl(...request, '-x509', '-days', '30', '-subj', '/CN=drill', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl(...request, '-subj', '/CN=localhost', '-keyout', `${name}.key`, '-out', `${name}.csr`)
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', String(days)]
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`)
  const read = (end: string) => readFileSync(join(folder, `${name}.${end}`), 'utf8')
  return { key: read('key'), cert: read('pem') }
}
