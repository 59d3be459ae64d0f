import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../scripts/run-command.ts'
import { shownBy } from './pictures.ts'
import type { Plan } from './plans.ts'
import type { PlanResult } from './results.ts'

export type ApplicationOptions = {
  plan: Plan
  result: PlanResult
  /** Version of Vrata. */
  revision: string
  /** Version of the suite. */
  suite: string
  /** The issuer. */
  issuer: string
  /** Folder with the logs and screenshots of the plan. */
  folder: string
}

/** Writes application.md: what the Foundation's forms ask for, with blanks for what only a person can declare. */
export async function writeApplication(options: ApplicationOptions): Promise<void> {
  const { plan, result, revision, suite, issuer, folder } = options
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const pictures = result.findings.flatMap(({ module, pictures }) =>
    pictures.map(
      ({ file, asked }) => `- [ ] [${file}](${file})
  - The suite asks: ${asked}
  - It must show: ${shownBy(module) ?? 'not described yet; look at it and add it to e2e/conformance/pictures.ts'}`,
    ),
  )
  const variant = Object.entries(plan.variant).map(([name, value]) => `${name}=${value}`)
  const text = `# Application for a certification: ${plan.title}

| | |
|---|---|
| Software | Vrata ${version}, revision ${revision} |
| Issuer | ${issuer} |
| Plan | ${plan.name} |
| Variant | ${variant.join(', ') || 'none'} |
| Plan id | ${result.id} |
| Suite | ${suite} |

## Modules

${result.findings.map(({ module, result, reasons }) => [`- ${result.toLowerCase()}: ${module}`, ...reasons.map((reason) => `  - ${reason}`)].join('\n')).join('\n')}

## Pictures to look at

${pictures.join('\n') || 'None: no module of this plan asks for one.'}

## To be declared by a person

- [ ] Name and address of the implementer (the company or person that applies):
- [ ] Name, title, email address and telephone number of the person who signs:
- [ ] Name and version of the deployment, and the day of the tests:
- [ ] Certification of Conformance, with the profile of this plan, signed and dated
- [ ] Certification Terms and Conditions, signed, if not submitted before
- [ ] Payment of the fee
`
  await writeFile(join(folder, 'application.md'), text)
}
