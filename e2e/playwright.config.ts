import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'

/**
 * Journeys through the real thing: the bundled server, the built pages, the installed Chromium. Run them with
 * `npm run e2e`, which builds what is stale first; what follows `--` goes to Playwright.
 */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  // A journey that passes at the second try has found something.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 7_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    actionTimeout: 7_000,
    // Recording costs a third of the time of all journeys; whoever looks for a fault adds `--trace on`.
    trace: 'off',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
