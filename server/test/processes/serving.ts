// A server without pages in a process of its own, for tests that end it; settings are environment variables.
import { failureSentence } from '../../src/commands/failure.ts'
import { readConfig } from '../../src/config/config.ts'
import { serve } from '../../src/main.ts'

try {
  await serve(readConfig(process.env), { pages: false })
} catch (error) {
  process.stderr.write(`${failureSentence(error) ?? error}\n`)
  process.exit(1)
}
