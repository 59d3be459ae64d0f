import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../cluster/program.ts'
import { needsStrace, trace } from './crash-drills.ts'
import { integrityOf, type OneServerDrill, underLoad } from './one-server.ts'

const SIZE = '40m'
/** Seconds for which the disk stays full once a request has been refused. */
const FULL = 8
/** Microseconds that each flush takes longer. */
const SLOW = 200_000
/** Seconds for which the disk is slow. */
const SLOW_FOR = 15

export const DISK_DRILLS: Record<string, OneServerDrill> = {
  'disk-full': {
    says: `the disk of the data folder (${SIZE}) is full until a request has been refused and ${FULL} seconds longer`,
    missing: () => (userInfo().uid === 0 ? undefined : 'only root can mount a small disk'),
    async run() {
      const disk = mkdtempSync(join(tmpdir(), 'vrata-disk-'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', disk])
      const ballast = join(disk, 'ballast')
      try {
        let reads = 0
        let refusedReads = 0
        const { figures, seen } = await underLoad({
          data: disk,
          async damage({ url, pid }, { browser }) {
            fill(ballast)
            await until('a refused write', async () => {
              fill(ballast)
              return (await register(url)) === 503
            })
            for (const end = performance.now() + FULL * 1000; performance.now() < end; await pause(100)) {
              reads += 1
              if ((await browser.request('GET', '/v1/account')).status !== 200) refusedReads += 1
            }
            rmSync(ballast)
            const freed = performance.now()
            await until('a write', async () => (await register(url)) === 201)
            return { well_after_s: Math.round((performance.now() - freed) / 100) / 10, pid }
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
      } finally {
        execFileSync('umount', [disk])
        rmSync(disk, { recursive: true, force: true })
      }
    },
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

/** Writes until nothing more fits. */
function fill(file: string): void {
  const { bavail, bsize } = statfsSync(join(file, '..'))
  try {
    appendFileSync(file, Buffer.alloc(bavail * bsize))
  } catch {
    // The disk is full.
  }
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
