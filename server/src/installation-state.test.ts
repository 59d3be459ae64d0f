import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { readDiskSpace } from './doctor/disk-space.ts'
import { installationState } from './installation-state.ts'

test('is also read without a data folder, where nothing is stored in one', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const config = { ...server.config, data_dir: join(server.config.data_dir, 'missing', 'folder') }
  const { disk, warnings } = await installationState(config, server.store).read()
  expect(disk?.free_bytes).toBeGreaterThan(0)
  expect(warnings.filter(({ check }) => check === 'disk')).toEqual([])
})

test('is read while the disk does not answer, which is a warning, and the disk is asked once', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  let asked = 0
  const ask = () => new Promise<never>(() => void (asked += 1))
  const state = installationState(server.config, server.store, (folder) => readDiskSpace(folder, ask, 10))
  for (let read = 0; read < 2; read += 1) {
    const { disk, warnings } = await state.read()
    expect(disk).toBe(null)
    const says = `the disk of ${server.config.data_dir} has not answered for 0.01 seconds; is it away?`
    expect(warnings).toContainEqual({ check: 'disk', says })
  }
  expect(asked).toBe(1)
})
