import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../../../scripts/run-command.ts'
import { cookieHeader } from '../../../testing/api-client.ts'
import type { Browser } from '../../browser.ts'
import { until } from '../../cluster/program.ts'
import { needsStrace, trace } from './crash-drills.ts'
import { integrityOf, type OneServerDrill, underLoad } from './one-server.ts'
import { needsRoot, onSmallDisk } from './small-disk.ts'

const SIZE = '40m'
const SMALL = '4m'
/** Seconds for which the disk stays full once a request has been refused. */
const FULL = 8
/** Microseconds that each flush takes longer. */
const SLOW = 200_000
/** Seconds for which the disk is slow. */
const SLOW_FOR = 15

export const DISK_DRILLS: Record<string, OneServerDrill> = {
  'disk-full': {
    says: `the disk of the data folder (${SIZE}) is full until a request has been refused and ${FULL} seconds longer`,
    missing: needsRoot,
    run: () =>
      onSmallDisk(SIZE, async (disk) => {
        let reads = 0
        let refusedReads = 0
        const { figures, seen } = await underLoad({
          data: disk.folder,
          async damage({ url, pid }, { browser }) {
            disk.fill()
            await until('a refused write', async () => {
              disk.fill()
              return (await register(url)) === 503
            })
            for (const end = performance.now() + FULL * 1000; performance.now() < end; await pause(100)) {
              reads += 1
              if ((await browser.request('GET', '/v1/account')).status !== 200) refusedReads += 1
            }
            const well_after_s = await disk.freed(async () => (await register(url)) === 201)
            return { well_after_s, pid }
          },
          afterwards: async (target) => ({ ...(await integrityOf(target)), same: Number(target.pid) }),
        })
        const { pid, same, ...shown } = seen
        const wanted = {
          'reads are answered': refusedReads === 0 && reads > 0,
          'nothing but 503': figures.failed === 0,
          'the process goes on': pid === same,
          'well within 5 s': Number(seen.well_after_s) <= 5,
          'the file is well': seen.integrity === 'ok',
        }
        return { figures, seen: shown, wanted }
      }),
  },
  'picture-disk-full': {
    says: `the disk of pictures (${SMALL}) is full for ${FULL} seconds, while a person changes the picture again and again`,
    missing: needsRoot,
    run: () =>
      onSmallDisk(SMALL, async (disk) => {
        const data = mkdtempSync(join(tmpdir(), 'vrata-pictures-'))
        symlinkSync(disk.folder, join(data, 'media'))
        const answers: Record<string, number> = {}
        try {
          const { figures, seen } = await underLoad({
            data,
            async damage({ url, pid }, { browser }) {
              const change = async () => (await changePicture(url, browser)).status
              const first = await change()
              const shown = await pictureOf(browser)
              const before = filesIn(disk.folder)
              disk.fill()
              for (const end = performance.now() + FULL * 1000; performance.now() < end; await pause(1000)) {
                const { status, retry_after } = await changePicture(url, browser)
                const name = status === 503 && !retry_after ? '503 without Retry-After' : String(status)
                answers[name] = (answers[name] ?? 0) + 1
              }
              const kept = (await pictureOf(browser)) === shown
              const half = filesIn(disk.folder).filter((name) => !before.includes(name)).length
              const well_after_s = await disk.freed(async () => (await change()) === 200)
              return { first, kept: Number(kept), half_files: half, well_after_s, pid }
            },
            afterwards: async (target) => ({ same: Number(target.pid) }),
          })
          const { pid, same, first, kept, ...shown } = seen
          const wanted = {
            'the first picture is taken': first === 200,
            'changes are refused with 503': Object.keys(answers).join() === '503',
            'the picture stays': kept === 1,
            'no half file stays': seen.half_files === 0,
            'everything else goes on': figures.failed + figures.refused === 0,
            'the process goes on': pid === same,
            'well within 5 s': Number(seen.well_after_s) <= 5,
          }
          return { figures, seen: { ...shown, answers: JSON.stringify(answers) }, wanted }
        } finally {
          rmSync(data, { recursive: true, force: true })
        }
      }),
  },
  'log-disk-full': {
    says: `the disk of the log (${SMALL}) is full for ${FULL} seconds`,
    missing: needsRoot,
    run: () =>
      onSmallDisk(SMALL, async (disk) => {
        const log = join(disk.folder, 'log')
        const { figures, seen } = await underLoad({
          log,
          settings: { VRATA_LOG_LEVEL: 'info' },
          async damage({ pid }) {
            disk.fill()
            await until('a full disk', async () => disk.isFull())
            await pause(FULL * 1000)
            const size = statSync(log).size
            const well_after_s = await disk.freed(async () => statSync(log).size > size)
            await pause(2000)
            return { well_after_s, pid }
          },
          afterwards: async (target) => ({ same: Number(target.pid) }),
        })
        const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
        const broken = lines.filter((line) => line.startsWith('{') && !isJson(line)).length
        const { pid, same, ...shown } = seen
        const wanted = {
          'every request is answered': figures.failed + figures.refused === 0,
          'the process goes on': pid === same,
          'well within 5 s': Number(seen.well_after_s) <= 5,
          'no line is broken': broken === 0,
        }
        return { figures, seen: { ...shown, lines: lines.length, broken_lines: broken }, wanted }
      }),
  },
  'slow-disk': {
    says: `each flush of SQLite takes ${SLOW / 1000} ms longer for ${SLOW_FOR} seconds (strace)`,
    missing: needsStrace,
    async run() {
      const { figures, seen } = await underLoad({
        async damage({ pid }) {
          const calls = 'fdatasync,fsync'
          const traced = await trace(pid, [
            '-e',
            `trace=${calls}`,
            '-e',
            `inject=${calls}:delay_enter=${SLOW}`,
            '-o',
            '/dev/null',
          ])
          await pause(SLOW_FOR * 1000)
          await traced.stop()
          return {}
        },
        afterwards: integrityOf,
      })
      const wanted = { 'nothing fails': figures.failed === 0, 'within 5.5 s': figures.longest_ms <= 5500 }
      return { figures, seen, wanted }
    },
  },
}

let people = 0

/** Registers a person; resolves with the status. */
async function register(url: string): Promise<number> {
  const email = `oseba${(people += 1)}@example.com`
  const answer = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    body: JSON.stringify({ email, password: 'kamen-na-kamen-palaca', first_name: 'Bor', last_name: 'Zajc' }),
    headers: { origin: url, 'content-type': 'application/json', 'x-forwarded-for': `10.${people % 256}.9.1` },
  })
  await answer.text()
  return answer.status
}

const PICTURE = join(ROOT, 'docs/images/login.png')

async function changePicture(url: string, { cookies }: Browser) {
  const form = new FormData()
  form.set('profile_picture', new File([readFileSync(PICTURE)], 'picture.png', { type: 'image/png' }))
  const answer = await fetch(`${url}/v1/account/profile-picture`, {
    method: 'PUT',
    body: form,
    headers: { origin: url, cookie: cookieHeader(cookies) ?? '' },
  })
  await answer.text()
  return { status: answer.status, retry_after: answer.headers.get('retry-after') }
}

async function pictureOf(browser: Browser): Promise<string> {
  return JSON.parse((await browser.request('GET', '/v1/account')).body).data.profile_picture
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== 'ballast')
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
