import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problem } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/databases/template-db.ts'
import { refusedStart, settingsOf } from '../../test/processes/vrata-command.ts'
import { diskFiles } from '../adapters/media/disk-files.ts'
import { FilesUnavailable } from '../adapters/media/files.ts'
import { BackupWriter } from '../backup/backup-writer.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { SqliteConnection } from '../db/sqlite.ts'
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
  for (const [name, failure] of [
    ['missing/vrata.gz', 'the file or its folder does not exist'],
    ['vrata.sqlite/vrata.gz', 'a part of the path is not a folder'],
  ] as const) {
    const asked = join(folder, name)
    expect(await failing(() => BackupWriter.create(asked, {} as never, true))).toBe(`${asked}: ${failure}.`)
  }
  expect(await failing(() => verifyBackup(folder))).toBe(`${folder}: it is a folder, not a file.`)
  expect(await failing(() => new SqliteConnection(file, 'writer'))).toBe(
    `The database file cannot be used: ${file}: file is not a database`,
  )
  expect(await failing(() => new SqliteConnection(folder, 'reader'))).toBe(
    `The database is not available: ${folder}, or one that ends in -wal or -shm beside it: unable to open database file`,
  )
  const refused = () => new Promise((_, reject) => connect(1, '127.0.0.1').on('error', reject))
  expect(await failing(refused)).toBe('The database is not available: connect ECONNREFUSED 127.0.0.1:1')
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const refusedByEach = () =>
    new Promise((_, reject) =>
      connect({ host: 'db', port: 1, lookup: (_name, _options, done) => done(null, addresses) }).on('error', reject),
    )
  expect(await failing(refusedByEach)).toBe(
    'The database is not available: connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1',
  )
  const locked = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
  expect(await failing(() => Promise.reject(problem('unavailable', { cause: locked })))).toBe(
    'The database is not available: database is locked',
  )
  // Also where the system error is the same as that of a database that does not answer.
  const refusing = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9000'), { code: 'ECONNREFUSED' })
  for (const [work, says] of [
    [() => diskFiles(file).open('a.webp'), `ENOTDIR: not a directory, open '${join(file, 'a.webp')}'`],
    [() => Promise.reject(new FilesUnavailable(refusing)), 'connect ECONNREFUSED 127.0.0.1:9000'],
  ] as const)
    expect(await failing(work)).toBe(`The store of pictures and archives cannot be used: ${says}`)
  expect(await failing(() => JSON.parse('{'))).toBeUndefined()
})

test('a server that cannot listen says where and why, whatever its database', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const place = await freshDatabase()
  onTestFinished(async () => {
    server.close()
    await place.remove()
  })
  const settings = { ...settingsOf(place), VRATA_SECRET: 'a secret that is long enough, and of nobody' }
  const refused = async (more: Record<string, string>) => (await refusedStart({ ...settings, ...more })).stderr.trim()
  const sentence = (host: string, reason: string) => `The server cannot listen at port ${port} of ${host}: ${reason}.`
  const [free, taken] = ['0', String(port)]
  expect(await refused({ HOST: '127.0.0.1', PORT: taken })).toBe(sentence('127.0.0.1', 'another program listens there'))
  expect(await refused({ HOST: '203.0.113.9', PORT: taken })).toBe(
    sentence('203.0.113.9', 'this machine does not have the address'),
  )
  const unknown =
    /^The server cannot listen at port \d+ of nowhere\.invalid: (the name has no address|the address of the name cannot be found now)\.$/
  expect(await refused({ HOST: 'nowhere.invalid', PORT: free })).toMatch(unknown)
  expect(await refused({ VRATA_METRICS_LISTEN: 'nowhere.invalid:9464', PORT: free })).toMatch(unknown)
})
