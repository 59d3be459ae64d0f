export { removeScopesOfClient } from './scopes.ts'
