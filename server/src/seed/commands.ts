import { randomBytes } from 'node:crypto'
import { passwords } from '../adapters/passwords/passwords.ts'
import { CommandError } from '../commands/command-error.ts'
import { parseCommand, requireNoArguments } from '../commands/command-line.ts'
import type { Settings } from '../config/config.ts'
import { fillDatabase } from '../db/copy/fill.ts'
import { batches } from '../db/copy/snapshot.ts'
import type { Row, Value } from '../db/copy/tables.ts'
import { NotEmpty } from '../db/copy/target.ts'
import { newClientSecret } from '../features/clients/public.ts'
import { type Amounts, seedEmail, seedRows, seedToken } from './installation.ts'

/** Options with the least, the usual and the greatest value. */
const OPTIONS: Record<keyof Amounts, { option: string; least: number; usual: number | undefined; most: number }> = {
  users: { option: 'users', least: 1, usual: undefined, most: 16_000_000 },
  apps: { option: 'apps', least: 1, usual: 20, most: 10_000 },
  sessions: { option: 'sessions-per-user', least: 1, usual: 3, most: 100 },
  connections: { option: 'apps-per-user', least: 0, usual: 2, most: 20 },
  tokens: { option: 'tokens-per-user', least: 0, usual: 5, most: 100 },
  activities: { option: 'activities-per-user', least: 0, usual: 10, most: 1000 },
}

const REDIRECT_URI = 'http://localhost:4000/callback'

/**
 * `vrata seed --users N …`: fills an empty database with people who do not exist, for measurements. Prints how they sign in,
 * because they would be unknown otherwise.
 */
export async function seed({ database_url: url, data_dir: dataDir }: Settings, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, {
    json: { type: 'boolean' },
    ...Object.fromEntries(Object.values(OPTIONS).map(({ option }) => [option, { type: 'string' } as const])),
  })
  requireNoArguments(positionals)
  const amounts = amountsOf(values)
  const begun = performance.now()
  const password = randomBytes(12).toString('base64url')
  const now = new Date()
  const { client_secret, columns } = newClientSecret(now)
  const key = randomBytes(16).toString('base64url')
  const passwordHash = await passwords().hash(password)
  const input = { amounts, now, passwordHash, clientSecret: columns, redirectUri: REDIRECT_URI, key }
  const counts = await fill({ url, dataDir }, seedRows(input))
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  const facts = {
    seconds,
    rows: counts,
    owner: seedEmail(0),
    password,
    client_ids: ['vrt_seed0', `vrt_seed${amounts.apps - 1}`],
    client_secret,
    redirect_uri: REDIRECT_URI,
    first_refresh_token: amounts.tokens > 0 ? seedToken(key, 0) : null,
    key,
  }
  if (values.json) {
    console.log(JSON.stringify(facts))
    return
  }
  for (const [table, count] of Object.entries(counts))
    console.log(`  ${table.padEnd(16)} ${String(count).padStart(10)}`)
  console.log(`Filled in ${seconds} s.`)
  console.log(
    `People: ${seedEmail(0)} (owner of the organization) to ${seedEmail(amounts.users - 1)}, password ${password}`,
  )
  console.log(`Apps: vrt_seed0 to vrt_seed${amounts.apps - 1}, secret ${client_secret}, redirect URI ${REDIRECT_URI}`)
}

async function fill(
  place: { url: string | undefined; dataDir: string },
  rows: Record<string, () => Iterable<object>>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const work = fillDatabase(place, async (target) => {
    await target.migrate()
    const tables = await target.tables()
    await target.prepare()
    for (const [name, list] of Object.entries(rows)) {
      const table = tables.find((one) => one.name === name)
      if (!table) throw new Error(`There is no table ${name}.`)
      await target.load(table, batches(arrays(list(), table.columns, (count) => (counts[name] = count))))
    }
    await target.finish()
  })
  await work.catch((error) => {
    if (error instanceof NotEmpty)
      throw new CommandError(`${error.message} People who do not exist are created in an empty database only.`, {
        cause: error,
      })
    throw error
  })
  return counts
}

/** Rows in the order of the columns. */
function* arrays(rows: Iterable<object>, columns: string[], done: (count: number) => void): Generator<Row> {
  let count = 0
  for (const row of rows) {
    count += 1
    yield columns.map((column) => {
      const value = (row as Record<string, Value | undefined>)[column]
      if (value === undefined) throw new Error(`A row has no ${column}.`)
      return value
    })
  }
  done(count)
}

function amountsOf(values: Record<string, string | boolean | undefined>): Amounts {
  const amounts = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { option, least, usual, most }]) => {
      const given = values[option]
      const amount = given === undefined ? usual : Number(given)
      if (amount === undefined || !Number.isInteger(amount) || amount < least || amount > most)
        throw new CommandError(`--${option} must be a whole number from ${least} to ${most}.`, { exitCode: 2 })
      return [name, amount]
    }),
  ) as Amounts
  if (amounts.connections === 0 && amounts.tokens > 0)
    throw new CommandError('--tokens-per-user must be 0 when --apps-per-user is 0.', { exitCode: 2 })
  if (amounts.connections > amounts.apps)
    throw new CommandError('--apps-per-user must not be greater than --apps.', { exitCode: 2 })
  return amounts
}
