/**
 * What people allow apps: the consent screen's question and answer, and the list of connected apps. Owns the table
 * `connections`, one row per person and app, and with it `developer_users` and `user_terms`: whom an organisation knows.
 *
 * /connection                     my apps
 * /connection/:client             unlink
 * /connection/:client/scopes      what an app asks for, and my answer
 * /connection/:client/scopes/:key taking one of them back
 * /device                         the code that a device shows, which leads to its question
 * /developer/users[/:id]          everybody who is connected to the organisation's apps; block; export
 */
import { connections, deviceCodes, users } from '@vrata/contract'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { connectedApps, removeConnection } from './connected.ts'
import { consent } from './consent.ts'
import { decide } from './decide.ts'
import { openDeviceCode } from './device-code.ts'
import { exportUsers } from './export.ts'
import { takeBackScope } from './take-back.ts'
import { listUsers, setUserBlocked } from './users.ts'

export const routes: Served[] = [
  serveOpen(deviceCodes.openDeviceCode, openDeviceCode),
  serve(connections.getConsent, consent),
  serve(connections.putConsent, decide),
  serve(connections.listConnections, connectedApps),
  serve(connections.removeConnection, removeConnection),
  serve(connections.takeBackScope, takeBackScope),
  serve(users.listUsers, listUsers),
  serve(users.setUserBlocked, setUserBlocked),
  serveOpen(users.exportUsers, exportUsers),
]
