import type { Picture } from './pictures.ts'

/** The result of a test module, what its log says if it did not just pass, and the screenshots that it asked for. */
export type Finding = { module: string; result: string; reasons: string[]; pictures: Picture[] }

/** The results of a test plan; `id` is the suite's. */
export type PlanResult = { title: string; id: string; findings: Finding[] }

/** Results of modules, as the suite names them, in the order of the columns. */
const COLUMNS = { PASSED: 'Passed', WARNING: 'Warning', REVIEW: 'Review', SKIPPED: 'Skipped' } as const
const COUNTS = ['Plan', 'Run', 'Modules', ...Object.values(COLUMNS), 'Failed']
const REASONS = ['Plan', 'Module', 'Result', 'What the log says']

/** Whether a module failed, was interrupted or did not end. */
export function hasFailed({ result }: Finding): boolean {
  return !(result in COLUMNS)
}

export type Report = {
  /** Titles of all plans, in the order of the table. */
  titles: readonly string[]
  /** Day, revision of Vrata and version of the suite, for the column `Run`. */
  run: string
  results: readonly PlanResult[]
}

/**
 * Returns the page (docs/guides/conformance.md) with new results in the two tables between its marks: counts, and the modules that
 * did not pass with their reasons. Plans that have not run keep their rows.
 */
export function writeResults(page: string, { titles, run, results }: Report): string {
  const replaced = (name: string, columns: string[], rowsOf: (result: PlanResult) => string[][]) => {
    const [start, end] = [`<!-- ${name}, written by npm run conformance -->`, `<!-- end of ${name} -->`]
    const [before, rest = ''] = page.split(start)
    const [old = '', after] = rest.split(end)
    if (before === undefined || after === undefined) throw new Error(`The page has no marks of ${name}.`)
    const kept = old.split('\n').filter((line) => line.startsWith('| '))
    const rows = titles.flatMap((title) => {
      const result = results.find((result) => result.title === title)
      return result ? rowsOf(result).map(row) : kept.filter((line) => line.startsWith(`| ${title} |`))
    })
    page = [
      before,
      start,
      '\n\n',
      [row(columns), `|${'---|'.repeat(columns.length)}`, ...rows].join('\n'),
      '\n\n',
      end,
      after,
    ].join('')
  }
  replaced('results', COUNTS, ({ title, findings }) => [
    [
      title,
      run,
      String(findings.length),
      ...Object.keys(COLUMNS).map((name) => count(findings, ({ result }) => result === name)),
      count(findings, hasFailed),
    ],
  ])
  replaced('reasons', REASONS, ({ title, findings }) =>
    findings
      .filter((finding) => finding.reasons.length > 0 || hasFailed(finding))
      .map(({ module, result, reasons }) => [
        title,
        `\`${module}\``,
        result.toLowerCase(),
        reasons.map(firstSentence).join(' · '),
      ]),
  )
  return page
}

/** The suite explains some of its findings at length. */
function firstSentence(reason: string): string {
  return reason.replace(/\. .*$/s, '')
}

/** Blank instead of zero. */
function count(findings: Finding[], is: (finding: Finding) => boolean): string {
  return String(findings.filter(is).length || '')
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
