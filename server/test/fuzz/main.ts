import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { runCommand } from '../../../scripts/run-command.ts'
import { startListeningServer } from '../listening.ts'
import { serveSessions } from './sessions.ts'

/**
 * Runs Schemathesis over `/v1/openapi.json` of a test server, once for each role, and ends with code 1 after a failure.
 * Called by scripts/suites/fuzz.ts, which installs the tool. Arguments: `--tool`, `--reports` (folder for JUnit files),
 * `--role` (repeatable), then those of `st run`.
 */
const { values, positionals } = parseArgs({
  options: {
    tool: { type: 'string', default: 'st' },
    reports: { type: 'string', default: '.' },
    role: { type: 'string', multiple: true, default: ['owner'] },
  },
  allowPositionals: true,
})

const server = await startListeningServer({ VRATA_LIMITS_FACTOR: '1000' })
const sessions = await serveSessions(server)
let failures = 0
for (const role of values.role) {
  console.log(`\nRole: ${role}`)
  const { code } = await runCommand(
    values.tool,
    [
      ...['--config-file', `${import.meta.dirname}/schemathesis.toml`],
      ...['run', `${server.config.url}/v1/openapi.json`],
      ...['--report', 'junit', '--report-junit-path', `${values.reports}/${role}.xml`],
      ...['--continue-on-failure', '--no-shrink', ...positionals],
    ],
    {
      stream: true,
      env: {
        PYTHONPATH: import.meta.dirname,
        // Otherwise Python reads the whole environment for a proxy at each call, which is a twentieth of its time.
        no_proxy: 'localhost',
        SCHEMATHESIS_HOOKS: 'hooks',
        FUZZ_ROLE: role,
        FUZZ_ORIGIN: server.config.url,
        FUZZ_SESSIONS: `http://localhost:${(sessions.address() as AddressInfo).port}`,
      },
    },
  )
  if (code !== 0) failures += 1
}
sessions.close()
sessions.closeAllConnections()
await once(sessions, 'close')
await server.close()
process.exit(failures ? 1 : 0)
