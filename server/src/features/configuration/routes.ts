import { configuration } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { getConfiguration } from './get-configuration.ts'
import { updateConfiguration } from './update-configuration.ts'

/** Policy, branding and groups as one document (operators §13). */
export const routes: RouteHandler[] = [
  serve(configuration.getConfiguration, getConfiguration),
  serveOpen(configuration.updateConfiguration, updateConfiguration),
]
