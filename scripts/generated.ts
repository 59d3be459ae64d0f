import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { needsInWords, openapi } from '../contract/src/openapi.ts'
import { PROBLEMS } from '../contract/src/problem.ts'
import { ROUTES } from '../contract/src/routes.ts'
import { QUICK_STARTS } from '../examples/quick-starts/list.ts'
import { problems as sentences } from '../phrases/src/en-US/problems.ts'
import { ROOT } from './command.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const NOTE = '<!-- Made from the contract by `npm run gen`. -->'

/** What is made from the contract and from the examples, and committed: path → text. */
export function generated(): Record<string, string> {
  return {
    'server/src/slices/clients/generated/quick-starts.ts': quickStarts(),
    'docs/reference/openapi.json': `${JSON.stringify(openapi('http://localhost:3000', version), null, 2)}\n`,
    'docs/reference/calls.md': page(
      'Calls of the account API',
      'What the pages of Vrata call themselves, with the cookies of whoever is signed in. An app needs none of this: it has the [endpoints](../developers/endpoints.md) of the protocol.',
      ['Call', 'What it does', 'Who may'],
      [...ROUTES.values()].map((route) => [`${route.method} /v1${route.path}`, route.summary, needsInWords(route)]),
    ),
    'docs/reference/problems.md': page(
      'Problems of the account API',
      'The codes with which the [calls](calls.md) fail. Those of the protocol are among the [errors](../developers/errors.md).',
      ['Code', 'Status', 'What a person reads'],
      Object.entries(PROBLEMS).map(([code, status]) => [
        code,
        String(status),
        sentences[code as keyof typeof PROBLEMS],
      ]),
    ),
  }
}

/** Files that are not what they would be if they were made now. */
export function staleFiles(): string[] {
  return Object.entries(generated())
    .filter(([file, text]) => !existsSync(join(ROOT, file)) || readFileSync(join(ROOT, file), 'utf8') !== text)
    .map(([file]) => file)
}

function page(title: string, intro: string, head: string[], rows: string[][]): string {
  const cell = (text: string) => text.replace(/<[^>]+>/g, '').replaceAll('|', '\\|')
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  const body = rows.map(([first = '', ...rest]) => line([`\`${first}\``, ...rest]))
  return `# ${title}\n\n${NOTE}\n\n${intro}\n\n${[line(head), line(head.map(() => '---')), ...body].join('\n')}\n`
}

/** The programs of the quick start as text that the server can hand out. They are written, and run, as files. */
function quickStarts(): string {
  const all = QUICK_STARTS.map(({ files, ...rest }) => ({
    ...rest,
    files: files.map((file) => ({
      ...file,
      code: readFileSync(join(ROOT, 'examples/quick-starts', rest.key, file.name), 'utf8'),
    })),
  }))
  const note = '// Made from examples/quick-starts by `npm run gen`.'
  const type = "import type { QuickStartTemplate } from '../quick-start.ts'"
  return `${note}\n${type}\n\nexport const QUICK_STARTS: readonly QuickStartTemplate[] = ${JSON.stringify(all, null, 2)}\n`
}
