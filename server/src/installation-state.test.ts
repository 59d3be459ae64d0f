import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { installationState } from './installation-state.ts'

test('is read also where nothing is stored in the data folder, so that there is none', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const config = { ...server.config, data_dir: join(server.config.data_dir, 'missing', 'folder') }
  const { disk, warnings } = await installationState(config, server.store).read()
  expect(disk.free_bytes).toBeGreaterThan(0)
  expect(warnings.filter(({ check }) => check === 'disk')).toEqual([])
})
