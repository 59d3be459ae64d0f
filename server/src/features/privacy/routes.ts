import { privacy } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { downloadData, listDataRequests, requestData } from './data-request.ts'
import { deleteAccount, previewDeletion } from './deletion.ts'

/** Calls of data archives and account deletion (api §3.9, §3.10). */
export const routes: RouteHandler[] = [
  serve(privacy.requestData, requestData),
  serve(privacy.listDataRequests, listDataRequests),
  serve(privacy.downloadData, downloadData),
  serve(privacy.previewDeletion, previewDeletion),
  serveOpen(privacy.deleteAccount, deleteAccount),
]
