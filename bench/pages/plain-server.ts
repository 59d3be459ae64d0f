// The built server with the pages of the folder `BENCH_PAGES`.
import { createRequire } from 'node:module'
import { SERVER_MODULE } from '../../scripts/build/server-bundle.ts'

const { readConfig, serve } = createRequire(import.meta.url)(SERVER_MODULE) as typeof import('../../server/src/main.ts')
await serve(readConfig(process.env), { pages: process.env.BENCH_PAGES ?? false })
