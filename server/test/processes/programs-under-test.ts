import { join } from 'node:path'

const SOURCES = join(import.meta.dirname, '../../src')

/**
 * Folder of the bundled server. Whole suites start programs from it, which takes a fifth of the time of the sources; a run of single tests
 * has none, because it should not need a build.
 */
export const BUNDLE = process.env.VRATA_TEST_BUNDLE

/** The program `vrata`. */
export const CLI = BUNDLE ? join(BUNDLE, 'cli.js') : join(SOURCES, 'cli.ts')

/** The program that renders a picture. */
export const RENDER_PICTURE = BUNDLE
  ? join(BUNDLE, 'render-picture.js')
  : join(SOURCES, 'adapters/media/render-picture.ts')
