import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judge, type Sample, trendOf } from '../../bench/soak/judge.ts'
import { judgeRows } from '../../bench/soak/rows.ts'
import { freePorts } from '../free-port.ts'

const MINUTES = 30
const SAMPLES = 360

/** A server of half an hour whose values vary, and whose heap grows between collections of garbage. */
const series = (change: (at: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: SAMPLES }, (_, at) => ({
    minutes: (at * MINUTES) / SAMPLES,
    memory: 300 + (at % 7),
    'heap after collections': 46 + (at % 9) * 6,
    'file handles': 40 + (at % 3),
    connections: 30 + (at % 3),
    ...change(at),
  }))

test('a server that stays flat is well, also when it grows while it warms up', () => {
  expect(judge(series(() => ({})))).toEqual([])
  expect(judge(series((at) => ({ memory: 300 - 110 * Math.max(0, 1 - at / 120) + (at % 7) })))).toEqual([])
})

test('growth after the warm-up is reported, even if it is small compared with the noise', () => {
  const leak = series((at) => ({
    memory: 300 + (at % 7) + at / 40,
    'heap after collections': 46 + (at % 9) * 6 + at / 40,
  }))
  // 9 MB in half an hour.
  expect(trendOf(leak, 'memory').slope).toBeCloseTo(3, 0)
  expect(judge(leak)).toEqual([
    expect.stringMatching(/^memory: from \S+ to \S+ MB, (2.9|3.0)/),
    expect.stringMatching(/^heap after collections: from \S+ to \S+ MB, (2.9|3.0)/),
  ])
  expect(judge(series((at) => ({ 'file handles': 40 + Math.floor(at / 40) })))).toHaveLength(1)
  expect(judge(series((at) => ({ connections: 40 + Math.floor(at / 40) })))).toHaveLength(1)
  expect(judge(series(() => ({ memory: Number.NaN })))).toEqual(['memory: not known'])
})

test('a server ends with the program that has started it, when that is interrupted', async () => {
  const targets = JSON.stringify(join(import.meta.dirname, '../../bench/targets.ts'))
  const code = `const { exitOnSignals, startHello } = await import(${targets}); exitOnSignals(); console.log((await startHello()).url)`
  const program = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(program.stdout, 'data')
  const answers = () =>
    fetch(String(line).trim()).then(
      () => true,
      () => false,
    )
  expect(await answers()).toBe(true)
  program.kill('SIGTERM')
  await once(program, 'exit')
  await expect.poll(answers).toBe(false)
})

test('a script ends with npm, which does not tell it', async () => {
  const run = join(import.meta.dirname, '../run.mjs')
  const [port] = await freePorts(1)
  // Started like npm does. The second command keeps the shell from being replaced by the first.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${run}" bench/reference/hello.ts; true`], {
    env: { ...process.env, PORT: String(port), npm_lifecycle_event: 'hello' },
    stdio: 'ignore',
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid as number), 'SIGKILL')
    } catch {
      // All have ended.
    }
  })
  const answers = () =>
    fetch(`http://localhost:${port}`).then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(true)
  shell.kill('SIGTERM')
  await expect.poll(answers).toBe(false)
})

test('rows that stay although they have expired are named, and tables that grow without expiry', () => {
  const from = { tokens: 100, jobs: 3, throttles: 5 }
  const none = { tokens: 0 }
  expect(judgeRows(from, { ...from, tokens: 900 }, none)).toEqual([])
  expect(judgeRows(from, { ...from, jobs: 4, activities: 9 }, none)).toEqual(['jobs: from 3 to 4 rows'])
  expect(judgeRows({ settings: 6 }, { settings: 7 }, none)).toEqual([])
  expect(judgeRows({ settings: 6 }, { settings: 8 }, none)).toEqual(['settings: from 6 to 8 rows'])
  const stays = judgeRows(from, { ...from, tokens: 900 }, { tokens: 7 })
  expect(stays).toEqual(['tokens: 7 rows expired more than 25 minutes ago'])
})
