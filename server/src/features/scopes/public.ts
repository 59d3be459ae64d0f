export { findResource, type ResourceRow } from './resource-store.ts'
export { removeScopesOfClient } from './scopes.ts'
