import { errors } from 'oidc-provider'

/** The metadata document of a client cannot be had, or is not accepted. The reason has no values of the document. */
export class DocumentRejected extends errors.InvalidClient {
  readonly reason: string
  constructor(reason: string) {
    super(`client_id metadata document: ${reason}`)
    this.reason = reason
    this.status = 401
    this.statusCode = 401
  }
}
