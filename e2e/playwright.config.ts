import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/suites/chromium.ts'

/**
 * Journeys: browser tests against the bundled server and the built pages in the installed Chromium. `npm run e2e` builds
 * what is out of date first and passes arguments after `--` to Playwright.
 */
export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results/journeys',
  fullyParallel: true,
  workers: 3,
  // A journey that passes only on retry may have found a defect: CI shows it, because it cannot be asked again.
  retries: process.env.CI === undefined ? 0 : 1,
  // For machines that are slow or do something else, too.
  timeout: 240_000,
  expect: { timeout: 40_000, toPass: { timeout: 40_000 } },
  forbidOnly: process.env.CI !== undefined,
  use: {
    actionTimeout: 40_000,
    // Recording takes a third of the time of all journeys. Add `--trace on` to debug.
    trace: 'off',
    // Drawing every frame of an animation took a tenth of the time of all journeys.
    contextOptions: { reducedMotion: 'reduce' },
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
        // Drawing and the network as threads of the browser's process: fewer messages between processes, a tenth less CPU time.
        '--in-process-gpu',
        // The last list of features counts; the others are those of Playwright.
        '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
      ],
    },
  },
})
