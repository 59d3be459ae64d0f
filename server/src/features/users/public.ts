export { findDeveloperUserNames } from './developer-users.ts'
