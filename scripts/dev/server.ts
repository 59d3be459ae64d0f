// The server of `npm run dev`: `vrata serve` with the pages in the folder that is its argument.
import { readConfig } from '../../server/src/config/config.ts'
import { serve } from '../../server/src/main.ts'

await serve(readConfig(process.env), { pages: process.argv[2] })
