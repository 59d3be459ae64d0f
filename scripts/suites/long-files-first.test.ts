import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../run-command.ts'
import { LONG } from './long-files-first.ts'

test('the files that are known to be long exist', () => {
  expect(LONG.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
