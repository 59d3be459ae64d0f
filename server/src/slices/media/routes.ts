import { media } from '@vrata/contract'
import { type Served, serve } from '../../edge/serve.ts'
import { getMedia } from './show.ts'

/**
 * Pictures of people, organisations and apps. Owns the table `pictures` and the files of the port `media`; whoever shows
 * a picture receives and replaces it through the door.
 *
 * GET /v1/media/{file}
 */
export const routes: Served[] = [serve(media.getMedia, getMedia)]
