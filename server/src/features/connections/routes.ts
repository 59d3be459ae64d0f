/**
 * Connections: what a user has granted to a client. Owns the table `connections` (one row per user and client) with
 * `connection_scopes`, and the tables `developer_users` and `user_terms` (users of a developer account and their search terms).
 *
 * /connection                     the user's connected clients
 * /connection/:client             disconnect
 * /connection/:client/scopes      consent: what a client requests, and the user's decision
 * /connection/:client/scopes/:key revoke one scope
 * /connection/requests            apps that ask the user to sign in (OpenID Connect CIBA Core)
 * /device                         the user code of a device (RFC 8628)
 */
import { connections } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { listConnectedClients, removeConnection } from './connected-clients.ts'
import { getConsent } from './consent/consent.ts'
import { plainConsentForm, plainConsentPage } from './consent/plain-consent.ts'
import { submitConsent } from './consent/submit-consent.ts'
import { openDeviceCode } from './device-code.ts'
import { listRequests } from './requests.ts'
import { revokeScope } from './revoke-scope.ts'

export const routes: RouteHandler[] = [
  serveOpen(connections.openDeviceCode, openDeviceCode),
  serve(connections.listRequests, listRequests),
  serve(connections.getConsent, getConsent),
  serve(connections.submitConsent, submitConsent),
  serve(connections.listConnections, listConnectedClients),
  serve(connections.removeConnection, removeConnection),
  serve(connections.revokeScope, revokeScope),
]

/** Consent for browsers without script. */
export const forms = [plainConsentForm]
export const plainPages = [plainConsentPage]
