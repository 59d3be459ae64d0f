/**
 * Organisations that make apps, and who belongs to them at which level. Owns the tables `developers` and `members`.
 *
 * /developer      create, read, edit and delete the current one
 */
import { developers } from '@vrata/contract'
import { type Served, serve } from '../../edge/serve.ts'
import { createDeveloper, currentDeveloper, deleteDeveloper, updateDeveloper } from './developer.ts'

export const routes: Served[] = [
  serve(developers.createDeveloper, createDeveloper),
  serve(developers.getDeveloper, currentDeveloper),
  serve(developers.updateDeveloper, updateDeveloper),
  serve(developers.deleteDeveloper, deleteDeveloper),
]
