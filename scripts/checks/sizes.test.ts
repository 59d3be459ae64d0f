import { expect, test } from 'vitest'
import { checkSizes } from './sizes.ts'

/** Checks files with these numbers of lines. */
const check = (files: Record<string, number>) =>
  checkSizes({ files: Object.keys(files), read: (file) => 'line\n'.repeat(files[file] ?? 0) })

/** So many files of a folder, of ten lines each. */
const folder = (path: string, count: number, ending = '.ts') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${path}/file-${n}${ending}`, 10]))

test('every file and folder of the repository has an allowed size and name', () => {
  expect(checkSizes()).toEqual([])
})

test.each([
  ['a file above 300 lines', { ...folder('web/src/lib', 15), 'web/src/ui/a.tsx': 301 }, /a\.tsx has 301 lines/],
  ['a median above 60 lines', { 'server/src/a.ts': 61, 'server/src/b.ts': 61 }, /median file has 61 lines/],
  [
    'a tenth of the files above 200 lines',
    { ...folder('web/src/lib', 8), 'web/src/a.ts': 201, 'web/src/b.ts': 201 },
    /One file in ten has more than 201 lines/,
  ],
  ['a folder of 16 files', folder('server/src/http', 16), /server\/src\/http has 16 files besides tests/],
  ['a folder of 16 files of a benchmark', folder('bench', 16, '.mjs'), /bench has 16 files besides tests/],
  ['a folder with a forbidden name', { 'web/src/helpers/a.ts': 1 }, /the name does not say/],
  ['a file with a forbidden name', { 'server/src/lib/utils.ts': 1 }, /the name does not say/],
])('reports %s', (_, files, sentence) => {
  expect(check(files as Record<string, number>)).toEqual([expect.stringMatching(sentence)])
})

test.each([
  ['15 files beside tests and folders', 'server/src/http'],
  ['a list of migrations', 'server/src/db/migrations', 60],
  ['a file for each feature', 'contract/src/calls', 40],
  ['a file for each feature in a language', 'phrases/src/sl-SI', 50],
  ['documents', 'docs/decisions', 90],
])('accepts %s', (_, path, count = 15) => {
  const others = { ...folder(path, 20, '.test.ts'), ...folder(`${path}/pages`, 15) }
  expect(check({ ...folder(path, count), ...others })).toEqual([])
})

test('tests, phrases and migrations may be long', () => {
  const files = {
    'server/src/a.test.ts': 900,
    'phrases/src/sl-SI/mail.ts': 900,
    'server/src/db/migrations/0001.ts': 900,
  }
  expect(check(files)).toEqual([])
})
