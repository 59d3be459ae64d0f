import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config.ts'
import { REGISTRIES, tagOf } from './libraries.ts'

/** Client libraries against the bundled server and the built pages; `npm run clients` installs what is missing first. */
export default defineConfig({
  ...journeys,
  testDir: '.',
  outputDir: '../../test-results/clients',
  fullyParallel: false,
  // One server serves all programs, and programs in Java and Go are heavy.
  workers: 1,
  // A first run downloads and compiles.
  timeout: 900_000,
  projects: REGISTRIES.map((name) => ({ name, grep: new RegExp(tagOf(name)) })),
})
