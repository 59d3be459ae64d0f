import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { failureSentence } from './failure.ts'

const failing = async (work: () => unknown) =>
  failureSentence(await (async () => work())().catch((error: unknown) => error))

test('failures of files and databases become sentences, and faults of the program do not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'failures-'))
  const file = join(folder, 'vrata.sqlite')
  await writeFile(file, 'This is no database, whatever its name says. '.repeat(20))
  expect(await failing(() => readFile(join(folder, 'missing')))).toBe(
    `${join(folder, 'missing')}: the file or its folder does not exist.`,
  )
  expect(await failing(() => writeFile(join(file, 'x'), ''))).toBe(
    `${join(file, 'x')}: a part of the path is not a folder.`,
  )
  expect(await failing(() => readFile(folder))).toBe('A file cannot be read or written: it is a folder, not a file.')
  expect(await failing(() => new DatabaseSync(file).exec('select * from users'))).toBe(
    'The database file cannot be used: file is not a database',
  )
  const refused = () => new Promise((_, reject) => connect(1, '127.0.0.1').on('error', reject))
  expect(await failing(refused)).toBe('The database is not available: connect ECONNREFUSED 127.0.0.1:1')
  expect(await failing(() => JSON.parse('{'))).toBeUndefined()
})

test('a server that cannot listen says where and why', async () => {
  const listening = createServer()
  const listen = (port: number, host: string, server = createServer()) =>
    new Promise((resolve, reject) => server.on('error', reject).listen(port, host, () => resolve(undefined)))
  await listen(0, '127.0.0.1', listening)
  const { port } = listening.address() as AddressInfo
  expect(await failing(() => listen(port, '127.0.0.1'))).toBe(
    `The server cannot listen at port ${port} of 127.0.0.1: another program listens there.`,
  )
  expect(await failing(() => listen(port, '203.0.113.9'))).toBe(
    `The server cannot listen at port ${port} of 203.0.113.9: this machine does not have the address.`,
  )
  listening.close()
})
