import { createServer } from 'node:http'

/** Baseline: node:http alone with the same JSON response as `hello.ts` (performance §2.10). */
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end('{"hello":"world"}')
})
server.listen(Number(process.env.PORT), 'localhost')
process.on('SIGTERM', () => void server.close())
