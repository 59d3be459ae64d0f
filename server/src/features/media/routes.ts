import { media } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { getMedia } from './get-media.ts'

/** Pictures of users, developer accounts and clients (product §3.10). Other features upload and replace them. */
export const routes: RouteHandler[] = [serve(media.getMedia, getMedia)]
