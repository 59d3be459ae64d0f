import { openDatabase } from '../../src/db/open.ts'

/** Run as a process that a test kills: writes pairs of rows and prints each committed pair. */
const [dataDir = '', round = ''] = process.argv.slice(2)
const store = await openDatabase({ dataDir })

async function write(writer: number): Promise<void> {
  for (let i = 0; ; i += 1) {
    const pair = `${round}-${writer}-${i}`
    await store.transaction(async ({ db }) => {
      await db
        .insertInto('settings')
        .values({ key: `${pair}/1`, value: 'x' })
        .execute()
      await new Promise(setImmediate)
      await db
        .insertInto('settings')
        .values({ key: `${pair}/2`, value: 'x' })
        .execute()
    })
    process.stdout.write(`${pair}\n`)
  }
}

await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(write))
