import { privacy } from '@vrata/contract'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { downloadData, listDataRequests, requestData } from './data-request.ts'
import { deleteAccount, previewDeletion } from './deletion.ts'

/**
 * Taking one's data along, and going. Owns the tables `data_requests` and `account_deletions` and the files of the port
 * `archives`. Last in the line of slices, for both reach through all of them.
 *
 * POST, GET /v1/account/data-request · GET /v1/account/data-request/{id}/download
 * GET /v1/account/deletion · DELETE /v1/account
 */
export const routes: Served[] = [
  serve(privacy.requestData, requestData),
  serve(privacy.listDataRequests, listDataRequests),
  serve(privacy.downloadData, downloadData),
  serve(privacy.previewDeletion, previewDeletion),
  serveOpen(privacy.deleteAccount, deleteAccount),
]
