export { logoJob } from './logo.ts'
export {
  authorizeRead,
  deleteRegistration,
  issueRegistrationToken,
  pruneRegistrationTokens,
  type RegisteredClient,
  type RegistrationCredentials,
  registerClient,
  revokeRegistrationToken,
  updateRegistration,
} from './registration.ts'
export { listRegistrationTokens, type RegistrationToken } from './store.ts'
