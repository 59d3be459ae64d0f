import type { AnsweredRequest } from '../tokens/answered-grant.ts'

/** `payload` of a row. */
export interface StoredCibaRequest extends AnsweredRequest {
  binding_message: string | null
  /** `auth_req_id` and `client_notification_token`, encrypted; only for the mode `ping`. */
  notification: string | null
}
