import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectExitOnFullDisk, hasFullDisk } from '../../test/databases/full-disk.ts'
import { openLog } from './log.ts'

function logged(err: unknown): string {
  const lines: string[] = []
  openLog('info', { write: (line) => void lines.push(line) }).error({ err }, 'failed')
  return lines.join('')
}

test('an error is logged with its codes, not with values of rows and addresses', () => {
  // Errors like those of the PostgreSQL driver and of nodemailer.
  const cause = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    detail: 'Key (email)=(ana@example.com) already exists.',
    parameters: ['ana@example.com'],
  })
  const rejected = Object.assign(new Error('a statement failed', { cause }), {
    rejected: ['ana@example.com'],
    response: '550 <ana@example.com>',
  })
  for (const line of [logged(cause), logged(rejected), logged({ err: cause })]) expect(line).not.toContain('@')
  expect(JSON.parse(logged(cause)).err).toMatchObject({ type: 'Error', code: '23505', stack: expect.any(String) })
  expect(logged(rejected)).toContain('users_email')
})

test('addresses in the text of an error are masked', () => {
  expect(logged(new Error('550 5.1.1 <ana.novak+x@mail.example.com>: no such user'))).not.toContain('ana.novak')
})

test('looks for addresses in linear time (security §1.3.12)', () => {
  const error = Object.assign(new Error('&'.repeat(100_000)), { stack: '' })
  const start = process.threadCpuUsage()
  logged(error)
  expect(process.threadCpuUsage(start).user, 'microseconds of CPU time').toBeLessThan(1_000_000)
})

test.runIf(hasFullDisk).each([
  {
    end: 'goes on and ends by itself',
    code: 'await new Promise((done) => setTimeout(done, 300)); process.exitCode = 7',
  },
  { end: 'can exit', code: 'process.exit(7)' },
])('a process whose log cannot be written $end', async ({ code }) => {
  const log = JSON.stringify(join(import.meta.dirname, 'log.ts'))
  const lines = `const { openLog } = await import(${log}); for (let i = 0; i < 3; i += 1) openLog('info').info('a line')`
  await expectExitOnFullDisk(`${lines}; ${code}`, 7)
})
