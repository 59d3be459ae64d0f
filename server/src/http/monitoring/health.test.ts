import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

/** Sets the clock of the machine, so many seconds from that of the database. */
function setApart(seconds: number): void {
  vi.useRealTimers().useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

async function readiness() {
  const answer = await server.app.inject({ url: '/readyz', headers: { host: 'localhost:3000' } })
  return { status: answer.statusCode, problems: answer.json().problems as string[] }
}

test.runIf(testEngine === 'postgres')(
  'a server whose clock is more than a minute from that of the database is not ready, and says so (security §4, F7)',
  async () => {
    setApart(45)
    expect(await readiness()).toEqual({ status: 200, problems: [] })
    setApart(600)
    expect(await readiness()).toEqual({
      status: 503,
      problems: [expect.stringMatching(/^clock: (599|600) seconds after the database's$/)],
    })
    setApart(-600)
    expect(await readiness()).toEqual({
      status: 503,
      problems: [expect.stringMatching(/^clock: (600|601) seconds before the database's$/)],
    })
    setApart(-45)
    expect(await readiness()).toEqual({ status: 200, problems: [] })
  },
)

test.runIf(testEngine === 'sqlite')(
  'with SQLite there is one clock, and the server is ready whatever it says',
  async () => {
    setApart(600)
    expect(await readiness()).toEqual({ status: 200, problems: [] })
  },
)
