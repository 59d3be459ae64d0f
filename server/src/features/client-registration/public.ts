export { LOGO_JOB, logoJob } from './logo.ts'
export {
  authorizeRead,
  deleteRegistration,
  issueRegistrationToken,
  pruneRegistrationTokens,
  type RegisteredClient,
  type RegistrationCredentials,
  registerClient,
  updateRegistration,
} from './registration.ts'
