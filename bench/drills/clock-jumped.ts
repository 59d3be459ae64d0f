import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { account } from '@vrata/contract'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { apiClient } from '../../testing/api-client.ts'
import { mailedLink } from '../../testing/mail.ts'
import type { Node } from '../cluster/cluster.ts'
import { statusOf, until } from '../cluster/program.ts'
import { type ClusterDrill, NOTICED, restart } from './cluster-drill.ts'
import { askForPassword, halfSignedIn, type Person, registerWithSecondFactor, sendCode, sessionAt } from './people.ts'
import { needsFaketime, WRONG_CLOCK } from './wrong-clock.ts'

const DAY = 24 * 60 * 60
const JUMPS = { day_later: DAY, five_minutes_earlier: -300 }
const PEOPLE = 3
/** Seconds for which the clock is wrong, longer than jobs wait for each other. */
const WRONG = 20

export const ONE_CLOCK_JUMPED: ClusterDrill = {
  says: 'the clock of one running server jumps a day forward, back, five minutes back, and back (libfaketime)',
  missing: needsFaketime,
  wanted: { failed: 0 },
  async run(cluster) {
    const folder = mkdtempSync(join(tmpdir(), 'vrata-clock-'))
    const file = join(folder, 'clock')
    const jump = (seconds: number) => writeFileSync(file, `${seconds >= 0 ? '+' : ''}${seconds}\n`)
    const [node] = cluster.nodes as [Node]
    const people: Person[] = []
    const wrong: string[] = []
    const seen: Record<string, number | string> = {}
    for (let n = 0; n < PEOPLE; n += 1)
      people.push(await registerWithSecondFactor(cluster, cluster.outbox, `ura${n}@example.com`))
    const ask = async (when: string) => {
      for (const person of people) {
        const session = await sessionAt(cluster, person.cookies)
        const recovery_code = person.recovery_codes.pop() as string
        const signIn = await sendCode(cluster, await halfSignedIn(cluster, person), { recovery_code })
        if (session !== 'valid') wrong.push(`${when}, a session: ${session}`)
        if (signIn !== 'done') wrong.push(`${when}, a sign-in: ${signIn}`)
      }
    }
    try {
      jump(0)
      const settings = { ...WRONG_CLOCK, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' }
      await restart(node, () => node.replace(SERVER, settings))
      for (const [i, [name, seconds]] of Object.entries(JUMPS).entries()) {
        jump(seconds)
        const began = performance.now()
        await until(`${node.name} says that its clock is wrong`, async () => {
          const answer = await fetch(`${node.url}/readyz`)
          return answer.status === 503 && /clock: \d+ seconds (after|before)/.test(await answer.text())
        })
        seen[`${name}_not_ready_ms`] = Math.round(performance.now() - began)
        await pause(NOTICED)
        await ask(name)
        for (const { cookies } of people) {
          const answer = await apiClient({ url: node.url, origin: cluster.url, cookies })(account.getAccount)
          if (!answer.ok) wrong.push(`${name}, a session at ${node.name}: ${answer.problem.code}`)
        }
        // A day old by this clock.
        const { email } = people[i] as Person
        await askForPassword(cluster, email)
        await mailedLink(cluster.outbox, email, '/change-password/')
        await pause(WRONG * 1000)
        jump(0)
        await until(node.name, async () => (await statusOf(`${node.url}/readyz`)) === 200)
        await pause(NOTICED)
        await ask(`after ${name}`)
      }
      await restart(node, () => node.replace(SERVER))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const slowest = Math.max(...Object.keys(JUMPS).map((name) => Number(seen[`${name}_not_ready_ms`])))
    return {
      seen: { ...seen, wrong: [...new Set(wrong)].join('; ') },
      wanted: {
        'the server is not ready within 60 s, and says why': slowest <= 60_000,
        'no session ends, and people sign in': wrong.length === 0,
      },
    }
  },
}
