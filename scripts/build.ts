// `npm run build`: the pages, as `npm start` and the container image need them.
import { ensurePages } from './pages.ts'

await ensurePages()
