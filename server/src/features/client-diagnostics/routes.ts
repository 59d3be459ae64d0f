/**
 * Requests of a client that were rejected lately, and why; test sign-ins. Owns the table `refusals`.
 *
 * /client/:id/refusals       list, delete
 * /client/:id/test-sign-in   exchange the code
 */
import { clientDiagnostics } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { deleteClientErrors, listClientErrors } from './client-errors.ts'
import { completeTestSignIn } from './complete-test-sign-in.ts'

export const routes: RouteHandler[] = [
  serve(clientDiagnostics.listClientErrors, listClientErrors),
  serve(clientDiagnostics.deleteClientErrors, deleteClientErrors),
  serveOpen(clientDiagnostics.completeTestSignIn, completeTestSignIn),
]
