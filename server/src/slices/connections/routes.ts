/**
 * What people allow apps: the consent screen's question and answer, and the list of connected apps. Owns the table
 * `connections`, one row per person and app.
 *
 * /connection                     my apps
 * /connection/:client             unlink
 * /connection/:client/scopes      what an app asks for, and my answer
 * /connection/:client/scopes/:key taking one of them back
 */
import { connections } from '@vrata/contract'
import { type Served, serve } from '../../edge/serve.ts'
import { connectedApps, removeConnection } from './connected.ts'
import { consent } from './consent.ts'
import { decide } from './decide.ts'
import { takeBackScope } from './take-back.ts'

export const routes: Served[] = [
  serve(connections.getConsent, consent),
  serve(connections.putConsent, decide),
  serve(connections.listConnections, connectedApps),
  serve(connections.removeConnection, removeConnection),
  serve(connections.takeBackScope, takeBackScope),
]
