/**
 * `npm run bench -- groups`: CPU time of an app that asks for the claim `groups` and is open to members of groups only, divided
 * by that of an app with neither, on the same server in alternating rounds. The person belongs to ten groups. At most five
 * percent more is wanted. Settings: ROUNDS, SECONDS.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clientAccess, clients, connections } from '@vrata/contract'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { apiClient, dataOf } from '../../testing/api-client.ts'
import { type Installation, seedInstallation, USER } from '../installation.ts'
import { measure, median } from '../measure.ts'
import { REDIRECT_URI, SCOPES } from '../reference/reference-data.ts'
import { SERVER, startVrata, type VrataOptions, type VrataTarget } from '../targets.ts'
import { codeExchange, introspection, refresh, userinfo } from './workloads.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 3)
const GROUPS = Array.from({ length: 10 }, (_, i) => `group-${i}`)

const WORKLOADS = { W2: refresh, W3: codeExchange, W4: userinfo, W5: introspection }

export async function benchGroups(): Promise<void> {
  const postgres = await startPostgres({ durable: true })
  console.log('CPU ms of server and database for each operation, median of the rounds.\n')
  console.log('| Workload | | without | with groups | ratio | ratios of the rounds |')
  console.log('| --- | --- | ---: | ---: | ---: | --- |')
  for (const [name, database] of Object.entries({ SQLite: undefined, PostgreSQL: postgres }))
    await compare(name, { database })
  await postgres.stop()
}

async function compare(name: string, options: VrataOptions): Promise<void> {
  const target = await startVrata(options)
  const plain = await seedInstallation(target)
  const grouped = await withGroups(target, plain, options)
  for (const [workload, operate] of Object.entries(WORKLOADS)) {
    const cpu = async (installation: Installation) => {
      const { cpu_ms, database_ms, failed } = await measure(target, installation, operate, {
        connections: 16,
        seconds: SECONDS,
      })
      if (failed > 0) throw new Error(`${workload}: ${failed} operations failed`)
      return cpu_ms + database_ms
    }
    const rounds: { without: number; within: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // The order changes with each round.
      if (round % 2 === 0) rounds.push({ without: await cpu(plain), within: await cpu(grouped) })
      else rounds.push(await cpu(grouped).then(async (within) => ({ without: await cpu(plain), within })))
    }
    const ratios = rounds.map(({ without, within }) => within / without)
    const [without, within] = [median(rounds.map((one) => one.without)), median(rounds.map((one) => one.within))]
    const cells = [without.toFixed(3), within.toFixed(3), median(ratios).toFixed(3)]
    console.log(
      `| ${workload} | ${name} | ${cells.join(' | ')} | ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} |`,
    )
  }
  await target.stop()
}

/** A second app of the same organization, with the claim and a rule. */
async function withGroups(target: VrataTarget, plain: Installation, { database }: VrataOptions): Promise<Installation> {
  const data = dirname(target.outbox)
  const document = join(data, 'groups.json')
  const groups = GROUPS.map((key) => ({ key, name: key, members: [USER.email] }))
  writeFileSync(document, JSON.stringify({ groups }))
  const place = { VRATA_DATA_DIR: data, ...(database ? { VRATA_DATABASE_URL: database.url } : {}) }
  execFileSync(process.execPath, [SERVER, 'config', 'apply', document], { env: { ...process.env, ...place } })

  const call = apiClient({ url: target.url, cookies: plain.browser.cookies })
  const scopes = [...SCOPES, 'groups']
  const app = dataOf(await call(clients.createClient, { name: 'With groups', type: 'web', redirect_uri: REDIRECT_URI }))
  dataOf(await call(clients.updateClientInfo, { id: app.client_id, scopes }))
  dataOf(await call(clients.updateAdvanced, { id: app.client_id, id_token_signed_response_alg: 'ES256' }))
  dataOf(await call(clientAccess.setAccess, { id: app.client_id, mode: 'groups', groups: GROUPS.slice(5) }))
  dataOf(await call(connections.submitConsent, { client: app.client_id, scopes }))
  return { ...plain, app: { client_id: app.client_id, client_secret: app.client_secret ?? '' }, scopes }
}
