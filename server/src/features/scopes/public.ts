export { findResource, type ResourceRow } from './resource-store.ts'
export { DELETE_SCOPE_JOB, type DeleteScopeJob, removeScopesOfClient } from './scopes.ts'
