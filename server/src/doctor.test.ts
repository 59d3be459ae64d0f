import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { writePlaces } from '../test/place-file.ts'
import { freshDatabase } from '../test/template-db.ts'
import { readConfig } from './config.ts'
import { doctor } from './doctor.ts'

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

/** What it says of a new installation with these settings: a line for each check, and how it ends. */
async function examined(settings: (folder: string) => Record<string, string>) {
  const { dataDir, url, remove } = await freshDatabase()
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const env = { VRATA_DATA_DIR: dataDir, ...(url ? { VRATA_DATABASE_URL: url } : {}), ...settings(dataDir) }
  await doctor(readConfig(env))
  await remove()
  return { lines, places: lines.find((line) => / places: /.test(line)), exit: process.exitCode }
}

test('a new installation is well, and told that places are left out', async () => {
  const { lines, places, exit } = await examined(() => ({}))
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(places).toBe('ok    places: left out; VRATA_GEOIP_FILE is not set')
  expect(exit).toBe(0)
})

test('of a file of places it says what it is', async () => {
  const { places } = await examined((folder) => {
    const file = join(folder, 'places.mmdb')
    writePlaces(file, { '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' } })
    return { VRATA_GEOIP_FILE: file }
  })
  expect(places).toBe('ok    places: Vrata-Test-City, 2026-11-18')
})

test('a file of places that is not there is wrong', async () => {
  const { places, exit } = await examined((folder) => ({ VRATA_GEOIP_FILE: join(folder, 'none.mmdb') }))
  expect(places).toMatch(/^wrong places: left out; VRATA_GEOIP_FILE cannot be read: .*none\.mmdb/)
  expect(exit).toBe(1)
})
