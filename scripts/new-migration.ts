// `npm run db:new -- <what-it-does>`: creates the next migration file and adds it to the list.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../server/src/db/migrations')
const title = process.argv[2] ?? ''

if (!/^[a-z]+(-[a-z0-9]+)*$/.test(title)) {
  console.error('Describe the migration in kebab-case, for example: npm run db:new -- add-passkeys')
  process.exit(1)
}

const last = readdirSync(FOLDER)
  .filter((file) => /^\d{4}-/.test(file))
  .sort()
  .at(-1)
const number = String(Number(last?.slice(0, 4) ?? 0) + 1).padStart(4, '0')
const name = `${number}-${title}`
const word = title.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

writeFileSync(
  join(FOLDER, `${name}.ts`),
  `import type { Kysely } from 'kysely'

/** Why the schema changes. Do not change this file after a release. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('').execute()
}
`,
)
const list = join(FOLDER, 'index.ts')
const text = readFileSync(list, 'utf8')
const imports = text.indexOf('\n\n')
const end = text.lastIndexOf('}')
writeFileSync(
  list,
  `${text.slice(0, imports)}
import * as ${word} from './${name}.ts'${text.slice(imports, end)}  '${name}': ${word},
${text.slice(end)}`,
)
console.log(
  `server/src/db/migrations/${name}.ts was created. Write it, then describe the columns in server/src/db/tables.`,
)
