import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { writePlaces } from '../test/geoip-file.ts'
import { freshDatabase } from '../test/template-db.ts'
import { readConfig } from './config.ts'
import { doctor } from './doctor.ts'

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

/** Runs the doctor on a new installation with these settings; returns its lines and exit code. */
async function runDoctor(settings: (folder: string) => Record<string, string>) {
  const { dataDir, url, remove } = await freshDatabase()
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const env = { VRATA_DATA_DIR: dataDir, ...(url ? { VRATA_DATABASE_URL: url } : {}), ...settings(dataDir) }
  await doctor(readConfig(env))
  await remove()
  return { lines, locations: lines.find((line) => / locations: /.test(line)), exit: process.exitCode }
}

test('reports no problem for a new installation, and that locations are not shown', async () => {
  const { lines, locations, exit } = await runDoctor(() => ({}))
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(locations).toBe('ok    locations: not shown; VRATA_GEOIP_FILE is not set')
  expect(exit).toBe(0)
})

test('describes the location file', async () => {
  const { locations } = await runDoctor((folder) => {
    const file = join(folder, 'places.mmdb')
    writePlaces(file, { '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' } })
    return { VRATA_GEOIP_FILE: file }
  })
  expect(locations).toBe('ok    locations: Vrata-Test-City, 2026-11-18')
})

test('reports a missing location file as wrong', async () => {
  const { locations, exit } = await runDoctor((folder) => ({ VRATA_GEOIP_FILE: join(folder, 'none.mmdb') }))
  expect(locations).toMatch(/^wrong locations: not shown; VRATA_GEOIP_FILE cannot be read: .*none\.mmdb/)
  expect(exit).toBe(1)
})
