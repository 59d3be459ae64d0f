import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../../scripts/suites/postgres.ts'
import { until } from '../../cluster/program.ts'
import { median } from '../../measure.ts'
import { requestToken } from '../../operations/workloads.ts'
import { type OneServerDrill, underLoad } from './one-server.ts'

/** Half of them fast (SIGINT), half of them immediate (SIGQUIT). */
const RESTARTS = 20

export const POSTGRES_DRILLS: Record<string, OneServerDrill> = {
  'postgres-restarted': {
    says: `PostgreSQL is restarted ${RESTARTS} times, fast (SIGINT) and immediately (SIGQUIT) in turn, without a standby`,
    async run() {
      // Commits wait for the log, which outlives the processes of PostgreSQL.
      const database = await startPostgres({ replicated: true })
      const wellAfter: number[] = []
      try {
        const { figures, seen } = await underLoad({
          database,
          async damage({ url, pid }, { service }) {
            for (let turn = 0; turn < RESTARTS; turn += 1) {
              await database.restart(turn % 2 === 0 ? 'SIGINT' : 'SIGQUIT')
              const accepts = performance.now()
              const write = () => requestToken(url, { grant_type: 'client_credentials' }, service)
              await until('a write', async () => (await write()) !== undefined)
              wellAfter.push(performance.now() - accepts)
              await pause(3_000)
            }
            return { pid }
          },
          afterwards: async (target) => ({ same: Number(target.pid) }),
        })
        const { pid, same } = seen
        const wanted = {
          'nothing but 503 with Retry-After': figures.failed === 0,
          'the process goes on': pid === same,
          'a write succeeds within 3 s': Math.max(...wellAfter) <= 3000,
        }
        const times = {
          well_after_ms: Math.round(median(wellAfter)),
          well_longest_ms: Math.round(Math.max(...wellAfter)),
        }
        return { figures, seen: { restarts: RESTARTS, ...times }, wanted }
      } finally {
        await database.stop()
      }
    },
  },
}
