import Fastify from 'fastify'

/** Baseline: Fastify with one route and a small JSON response. */
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ port: Number(process.env.PORT), host: 'localhost' })
process.on('SIGTERM', () => void app.close())
