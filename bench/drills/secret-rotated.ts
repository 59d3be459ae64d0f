import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { mailedLink } from '../../testing/mail.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type ClusterDrill, restart } from './cluster-drill.ts'
import { askForPassword, halfSignedIn, type Person, registerWithSecondFactor, sendCode, sessionAt } from './people.ts'

const run = promisify(execFile)

const PEOPLE = 10
const NEW = 'the secret that replaces that of a cluster for drills'

export const SECRET_ROTATED: ClusterDrill = {
  says: 'the secret of two servers is rotated as the handbook says, with a restart of each before, between and after (SIGTERM)',
  servers: 2,
  wanted: { failed: 0, window_s: 0 },
  async run(cluster) {
    const { nodes, outbox, settings } = cluster
    const old = settings.VRATA_SECRET as string
    const newPerson = (name: string) => registerWithSecondFactor(cluster, outbox, `${name}@example.com`)
    const people: Person[] = []
    for (let n = 0; n < PEOPLE; n += 1) people.push(await newPerson(`tajnost${n}`))
    const wrong: string[] = []
    const note = (when: string, what: string, seen: string, wanted: string) => {
      if (seen !== wanted) wrong.push(`${when}, ${what}: ${seen} instead of ${wanted}`)
    }
    let asked = 0
    /** Every session, and a sign-in with a recovery code, which is hashed with a key of the secret. */
    const ask = async (when: string) => {
      for (const person of people) {
        note(when, 'a session', await sessionAt(cluster, person.cookies), 'valid')
        const recovery_code = person.recovery_codes.pop() as string
        note(
          when,
          'a recovery code',
          await sendCode(cluster, await halfSignedIn(cluster, person), { recovery_code }),
          'done',
        )
        asked += 2
      }
    }
    const kids = await publishedKeys(cluster)
    const restartAll = async (more: Record<string, string>) => {
      for (const node of nodes) await restart(node, () => node.replace(SERVER, more))
    }

    await restartAll({ VRATA_NEW_SECRET: NEW })
    await ask('with both secrets')
    const { encrypted } = await rotate({ ...settings, VRATA_NEW_SECRET: NEW })
    await ask('after the rotation')
    // Encrypted by a server that still has the old secret.
    people.push(await newPerson('pozna'))
    await restartAll({ VRATA_SECRET: NEW, VRATA_OLD_SECRET: old })
    await ask('with the new secret and the old one')
    const finished = await rotate({ ...settings, VRATA_SECRET: NEW, VRATA_OLD_SECRET: old }, '--finish')
    // Also used by drills that run after this one.
    settings.VRATA_SECRET = NEW
    await restartAll({})
    await ask('with the new secret alone')
    for (const person of people) {
      const otp_token = person.code()
      note('at the end', 'a code', await sendCode(cluster, await halfSignedIn(cluster, person), { otp_token }), 'done')
      asked += 1
    }
    note('at the end', 'the published keys', await publishedKeys(cluster), kids)
    const [{ email }] = people as [Person]
    await askForPassword(cluster, email)
    await mailedLink(outbox, email, '/change-password/')
    return {
      seen: {
        encrypted,
        encrypted_at_the_end: finished.encrypted,
        people: people.length,
        asked,
        wrong: [...new Set(wrong)].join('; '),
      },
      wanted: { 'nobody is signed out, and every encrypted value is readable': wrong.length === 0 },
    }
  },
}

async function rotate(settings: Record<string, string>, ...words: string[]): Promise<{ encrypted: number }> {
  const env = { ...process.env, ...settings }
  const { stdout } = await run(process.execPath, [SERVER, 'secret', 'rotate', '--json', ...words], { env })
  return JSON.parse(stdout)
}

async function publishedKeys({ url }: Cluster): Promise<string> {
  const { keys } = (await (await fetch(`${url}/jwks`)).json()) as { keys: { kid: string }[] }
  return keys
    .map(({ kid }) => kid)
    .sort()
    .join(' ')
}
