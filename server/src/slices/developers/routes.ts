/**
 * Organisations that make apps, and who belongs to them at which level. Owns the tables `developers` and `members`.
 *
 * /developer            create, read, edit and delete the current one
 * /developer/logo       its picture
 * /developer/activity   what was done in it, by whom
 */
import { developers } from '@vrata/contract'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { createDeveloper, currentDeveloper, deleteDeveloper, updateDeveloper } from './developer.ts'
import { listDeveloperActivity } from './list-activity.ts'
import { removeLogo, setLogo } from './logo.ts'

export const routes: Served[] = [
  serve(developers.createDeveloper, createDeveloper),
  serve(developers.getDeveloper, currentDeveloper),
  serve(developers.updateDeveloper, updateDeveloper),
  serve(developers.deleteDeveloper, deleteDeveloper),
  serveOpen(developers.setLogo, setLogo),
  serve(developers.removeLogo, removeLogo),
  serve(developers.listDeveloperActivity, listDeveloperActivity),
]
