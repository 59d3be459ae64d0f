import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkSizes } from './check-sizes.ts'
import { command } from './command.ts'
import type { Outcome } from './test.ts'

type Check = { name: string; run: () => Promise<string> }

const WORKSPACES = ['contract', 'phrases', 'sign-in', 'server', 'web', 'e2e', 'bench', 'examples']

/** Each answers what is wrong, or nothing. */
const CHECKS: Check[] = [
  {
    name: 'format and lint',
    run: () => complaint('biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched']),
  },
  { name: 'walls', run: () => complaint('depcruise', ['--config', '.dependency-cruiser.mjs', ...WORKSPACES]) },
  { name: 'sizes', run: async () => checkSizes().join('\n') },
  { name: 'generated files', run: stale },
  ...globSync(['*/tsconfig.json', 'examples/*/tsconfig.json'], { cwd: `${import.meta.dirname}/..` })
    .sort()
    .map((file) => ({ name: `types of ${dirname(file)}`, run: () => complaint('tsc', ['-p', file]) })),
]

/** Everything that can be said about the code without running it, two checks at a time. */
export async function runChecks(): Promise<Outcome> {
  const waiting = [...CHECKS]
  const reports: string[] = []
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const wrong = await check.run().catch((error: Error) => String(error.stack))
      if (wrong) reports.push(`${check.name}\n${wrong}`)
    }
  }
  await Promise.all([worker(), worker()])
  return { passed: CHECKS.length - reports.length, failed: reports.length, report: reports.join('\n\n') }
}

async function complaint(program: string, args: string[]): Promise<string> {
  const { code, output } = await command(program, args)
  return code === 0 ? '' : output.trim() || `${program} ended with ${code}`
}

async function stale(): Promise<string> {
  // Loaded late: a contract that does not even load is a finding of this check, not the end of all.
  const { staleFiles } = await import('./generated.ts')
  return staleFiles()
    .map((file) => `${file} is not what the contract says; run npm run gen`)
    .join('\n')
}
