/**
 * Scopes that clients define and request, and the explorer of all scopes. The scopes themselves are rows of the feature
 * `scope-catalog`, requested scopes those of `clients`. Owns the tables `resources` and `resource_scopes`.
 *
 * /client/:id/scopes         scopes that a client defines; with a key: usage, removal
 * /client/:id/asked-scopes   scopes that a client requests, with their texts
 * /client/:id/resources      API identifiers of a client (RFC 8707), each with some of its scopes
 * /client/explore            the tree of all scopes, and clients by name
 */
import { scopes } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { exploreChildren, exploreScopes } from './explore.ts'
import { exploreClients } from './explore-clients.ts'
import { listRequestedScopes } from './requested-scopes.ts'
import { addResource, listResources, removeResource } from './resources.ts'
import { defineScope, getScopeUsage, listDefinedScopes, removeScope } from './scopes.ts'

export const routes: RouteHandler[] = [
  serve(scopes.listScopes, listDefinedScopes),
  serve(scopes.defineScope, defineScope),
  serve(scopes.getScopeUsage, getScopeUsage),
  serve(scopes.removeScope, removeScope),
  serve(scopes.listRequestedScopes, listRequestedScopes),
  serve(scopes.listResources, listResources),
  serve(scopes.addResource, addResource),
  serve(scopes.removeResource, removeResource),
  serve(scopes.exploreChildren, exploreChildren),
  serve(scopes.exploreScopes, exploreScopes),
  serve(scopes.exploreClients, exploreClients),
]
