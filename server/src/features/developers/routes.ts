/**
 * Developer accounts ("organizations" on pages). Owns the tables `developers` and `developer_activities`.
 *
 * /developer            create, read, update and delete the current developer account
 * /developer/logo       its picture
 * /developer/approval   asks operators again to approve it
 * /developer/activity   what its members did
 */
import { developers } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { createDeveloper, deleteDeveloper, getDeveloper, updateDeveloper } from './developer.ts'
import { listDeveloperActivity } from './list-activity.ts'
import { removeLogo, setLogo } from './logo.ts'
import { requestApproval } from './request-approval.ts'

export const routes: RouteHandler[] = [
  serve(developers.createDeveloper, createDeveloper),
  serve(developers.getDeveloper, getDeveloper),
  serve(developers.updateDeveloper, updateDeveloper),
  serve(developers.deleteDeveloper, deleteDeveloper),
  serve(developers.requestApproval, requestApproval),
  serveOpen(developers.setLogo, setLogo),
  serve(developers.removeLogo, removeLogo),
  serve(developers.listDeveloperActivity, listDeveloperActivity),
]
