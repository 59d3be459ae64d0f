import { clientAccess } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { getAccess, setAccess } from './access.ts'

/** Access rules of apps (operators §10). */
export const routes: RouteHandler[] = [
  serve(clientAccess.getAccess, getAccess),
  serve(clientAccess.setAccess, setAccess),
]
