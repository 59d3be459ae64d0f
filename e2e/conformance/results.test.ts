import { describe, expect, test } from 'vitest'
import { type PlanResult, writeResults } from './results.ts'

const page = `# Results

<!-- results, written by npm run conformance -->
<!-- end of results -->

Text between.

<!-- reasons, written by npm run conformance -->
<!-- end of reasons -->

The end.
`
const titles = ['Config OP', 'Basic OP']
const config: PlanResult = {
  title: 'Config OP',
  id: 'one',
  findings: [{ module: 'discovery', result: 'PASSED', reasons: [], pictures: [] }],
}
const basic: PlanResult = {
  title: 'Basic OP',
  id: 'two',
  findings: [
    { module: 'server', result: 'REVIEW', reasons: [], pictures: [] },
    { module: 'scopes', result: 'WARNING', reasons: ['Claims: a | b\nmissing. A long explanation.'], pictures: [] },
    { module: 'rotate', result: 'INTERRUPTED', reasons: [], pictures: [] },
  ],
}

describe('the page with the results of the conformance plans', () => {
  test('has a row of counts for each plan, in the order of the plans', () => {
    const written = writeResults(page, { titles, run: 'today', results: [basic, config] })
    expect(written).toContain(
      '| Config OP | today | 1 | 1 |  |  |  |  |\n| Basic OP | today | 3 |  | 1 | 1 |  | 1 |\n\n<!-- end',
    )
    expect(written).toContain('Text between.')
    expect(written).toContain('The end.')
  })

  test('names the modules that did not pass, with their reasons', () => {
    const written = writeResults(page, { titles, run: 'today', results: [basic] })
    expect(written).toContain('| Basic OP | `scopes` | warning | Claims: a \\| b missing |')
    expect(written).toContain('| Basic OP | `rotate` | interrupted |  |')
    expect(written).not.toContain('`server`')
  })

  test('keeps the rows of plans that have not run, and drops those of plans that no longer exist', () => {
    const first = writeResults(page, { titles, run: 'yesterday', results: [config, basic] })
    const second = writeResults(first, { titles: ['Basic OP'], run: 'today', results: [] })
    expect(second).toContain('| Basic OP | yesterday |')
    expect(second).toContain('`scopes`')
    expect(second).not.toContain('Config OP')
  })

  test('is refused without marks for the tables', () => {
    expect(() => writeResults('# Results', { titles, run: 'today', results: [] })).toThrow('no marks of results')
  })
})
