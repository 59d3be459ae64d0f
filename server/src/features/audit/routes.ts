import { audit } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { exportAudit, listAudit } from './list-audit.ts'

/** The audit log of the installation (operators §3). Other features record events with `recordAudit`. */
export const routes: RouteHandler[] = [serve(audit.listAudit, listAudit), serveOpen(audit.exportAudit, exportAudit)]
