import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { expect, test } from 'vitest'
import { openLog } from '../adapters/log.ts'
import { logRequests } from './request-log.ts'

test.each([
  ['debug', ['failing', 'answered']],
  ['info', ['failing', 'answered']],
  ['warn', ['failing']],
])('at the level %s a response has its request id, and the log %j', async (level, expected) => {
  const lines: string[] = []
  const loggerInstance: FastifyBaseLogger = openLog(level, { write: (line) => void lines.push(line) })
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
  })
  logRequests(app)
  app.get('/', async (request) => {
    request.log.warn('failing')
    return {}
  })
  const answer = await app.inject('/')
  await app.close()
  expect(answer.headers['x-request-id']).toMatch(/./)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(expected)
})
