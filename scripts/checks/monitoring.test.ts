import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prometheusMetrics } from '../../server/src/http/monitoring/prometheus-metrics.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy/monitoring')
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')
const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string)

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' })
const isMissing = promtool('--version').error !== undefined

test.skipIf(isMissing)('promtool accepts the alert rules (skipped where promtool is not installed)', () => {
  expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 })
  expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toMatchObject({ status: 0 })
})

test.skipIf(isMissing)('each alert fires for its reason (skipped where promtool is not installed)', () => {
  const { status, stdout, stderr } = promtool('test', 'rules', 'alerts.test.yml')
  expect({ status, says: stdout + stderr }).toMatchObject({ status: 0 })
  for (const name of alerts) expect(read('alerts.test.yml')).toContain(`alertname: ${name}`)
})

test('each alert has a page of the runbook, and each page an alert', () => {
  const pages = readdirSync(join(ROOT, 'docs/runbook')).filter((name) => name !== 'README.md')
  expect(pages.sort()).toEqual(alerts.map((name) => `${name}.md`).sort())
  for (const name of alerts) expect(read('alerts.yml')).toContain(`runbook: docs/runbook/${name}.md`)
})

test.each(['alerts.yml', 'grafana-dashboard.json'])('%s names metrics that the server has', async (file) => {
  const metrics = prometheusMetrics()
  const store = { load: () => ({ operations: 0, connections: 1 }), read: {} as never, signals: { missing: 0 } }
  const health = { problems: async () => [] }
  metrics.watch({ store, health, sockets: { count: () => 0 }, clock: { now: () => new Date() } })
  const known = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
  const used = [...new Set(read(file).match(/\bvrata_\w+/g))].map((name) => name.replace(/_bucket$/, ''))
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !known.includes(name))).toEqual([])
})
