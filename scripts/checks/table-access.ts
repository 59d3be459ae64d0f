import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TABLES } from '../../server/src/db/schema.ts'
import { ROOT } from '../run-command.ts'

type Access = { table: string; writes: boolean }

const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'prepareInsert'])
const QUERY =
  /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|prepareInsert|(?:inner|left|right|full|cross)Join)\(\s*(\[[^\]]*\]|'[^']*'|`[^`]*`|)/g
const RAW_SQL = /\bsql(?:<[^`]*?>)?`([^`]*)`/g
const RAW_TABLE = /\b(from|join|into|update)\s+([a-z_]+)\b/gi

/** Folders that may name any table: migrations, and the query compiler, whose table is a parameter. */
const EXEMPT = /\.(test|conformance)\.ts$|^server\/src\/db\/(migrations|compiled-queries)\//

/**
 * Checks every query under `server/src` against the owners and readers of `TABLES` (architecture §3). Returns one
 * sentence for each violation.
 *
 * @param files source by path; the files of the repository when omitted
 */
export function checkTableAccess(files: Record<string, string> = sources()): string[] {
  const violations: string[] = []
  const read = new Set<string>()
  for (const [file, source] of Object.entries(files)) {
    const folder = folderOf(file)
    for (const { table, writes } of accesses(source)) {
      const access = (TABLES as Record<string, { owner: string; readers?: Record<string, string> }>)[table]
      if (!access) violations.push(`${file}: the table ${table} is not in TABLES of server/src/db/schema.ts.`)
      else if (access.owner === folder) continue
      else if (writes) violations.push(`${file} writes ${table}; only ${access.owner} writes it.`)
      else if (access.readers?.[folder]) read.add(`${table} ${folder}`)
      else
        violations.push(`${file} reads ${table}; its owner is ${access.owner} and ${folder} is not among its readers.`)
    }
  }
  for (const [table, { owner, readers = {} }] of Object.entries(TABLES)) {
    if (!isFolder(owner)) violations.push(`TABLES: the owner of ${table}, ${owner}, is no folder.`)
    for (const folder of Object.keys(readers))
      if (!read.has(`${table} ${folder}`)) violations.push(`TABLES: ${folder} does not read ${table}.`)
  }
  return [...new Set(violations)]
}

/** Tables that the queries of a file name. Arguments that are no literals are subqueries, whose own calls are matched. */
export function accesses(source: string): Access[] {
  const local = new Set([...source.matchAll(/\.with(?:Recursive)?\(\s*'(\w+)'/g)].map((match) => match[1]))
  const built = [...source.matchAll(QUERY)].flatMap(([, method = '', argument = '']) =>
    [...argument.matchAll(/['`](\w+)[^'`]*['`]/g)].map(([, table = '']) => ({ table, writes: WRITES.has(method) })),
  )
  const raw = [...source.matchAll(RAW_SQL)].flatMap(([, text = '']) =>
    [...text.matchAll(RAW_TABLE)]
      .map(([, word = '', table = '']) => ({ table, writes: /into|update/i.test(word) }))
      .filter(({ table }) => table in TABLES),
  )
  return [...built, ...raw].filter(({ table }) => !local.has(table))
}

function sources(): Record<string, string> {
  const files = globSync('server/src/**/*.ts', { cwd: ROOT }).filter((file) => !EXEMPT.test(file))
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

/** The feature of a file, or the first folder under `server/src`; of an adapter, `adapters/x`. */
function folderOf(file: string): string {
  const [first = '', second = ''] = file.replace('server/src/', '').split('/')
  if (first === 'features') return second
  return first === 'adapters' ? `${first}/${second}` : first
}

function isFolder(owner: string): boolean {
  return ['server/src/features', 'server/src'].some((above) => existsSync(join(ROOT, above, owner)))
}
