import Fastify from 'fastify'

/** The floor of every figure: routing, one header, one small JSON body. */
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ port: Number(process.env.PORT), host: 'localhost' })
process.on('SIGTERM', () => void app.close())
