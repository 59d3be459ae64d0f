export {
  type ClientError,
  ClientErrorLog,
  onOriginAdded,
  onRedirectUriAdded,
  pruneClientErrors,
} from './client-errors.ts'
