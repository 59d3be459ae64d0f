// A server without pages in a process of its own, for tests that end it; settings are environment variables.
import { readConfig } from '../../src/config/config.ts'
import { serve } from '../../src/main.ts'

await serve(readConfig(process.env), { pages: false })
