import { expect, test } from 'vitest'
import { accesses, checkTableAccess } from './table-access.ts'

/** Violations of one planted file; entries of `TABLES` that a single file does not use are left out. */
const violationsOf = (file: string, source: string) =>
  checkTableAccess({ [file]: source }).filter((sentence) => !sentence.startsWith('TABLES:'))

test('every query of the repository respects owners and readers', () => {
  expect(checkTableAccess()).toEqual([])
})

test.each([
  ['a write of a table of another feature', "db.updateTable('users').set(x)", /writes users; only account/],
  ['a prepared insert', "const insert = prepareInsert('users')", /writes users; only account/],
  ['a read', "db.selectFrom('qr_codes as q').selectAll()", /reads qr_codes; its owner is /],
  ['a join', "db.selectFrom('pictures').innerJoin('jobs', 'a', 'b')", /reads jobs; its owner is adapters\/jobs/],
  ['a list of tables', "db.selectFrom(['pictures', 'jobs'])", /reads jobs/],
  ['a line break before the name', "db\n.deleteFrom(\n'users')", /writes users/],
  ['raw SQL', 'sql`select 1 from users where x`', /reads users/],
  ['a table without an entry', "db.selectFrom('nothing')", /nothing is not in TABLES/],
])('reports %s', (_, source, sentence) => {
  expect(violationsOf('server/src/features/media/store.ts', source)).toEqual([expect.stringMatching(sentence)])
})

test('lets the owner write and a listed reader read, but not write', () => {
  expect(violationsOf('server/src/features/account/store.ts', "db.updateTable('users')")).toEqual([])
  expect(violationsOf('server/src/issuer/tokens/store.ts', "db.leftJoin('users', 'a', 'b')")).toEqual([])
  expect(violationsOf('server/src/issuer/tokens/store.ts', "db.updateTable('users')")).toHaveLength(1)
})

test('reports a reader that no longer reads', () => {
  expect(checkTableAccess({})).toContain('TABLES: issuer does not read users.')
})

test('a table is found in a template, as one with several aliases is written', () => {
  expect(accesses('db.selectFrom(`jobs as j`)')).toEqual([{ table: 'jobs', writes: false }])
})

test('common table expressions are not tables', () => {
  expect(accesses("db.with('due', (q) => q.selectFrom('jobs')).selectFrom('due')")).toEqual([
    { table: 'jobs', writes: false },
  ])
})
