import { branding } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { getBranding, getPublicBranding, updateBranding } from './branding.ts'
import { removePicture, setPicture } from './pictures.ts'

/** Name, colors, pictures, texts and languages of the installation (operators §6). */
export const routes: RouteHandler[] = [
  serve(branding.getBranding, getBranding),
  serve(branding.updateBranding, updateBranding),
  serveOpen(branding.setBrandingLogo, setPicture('logo')),
  serve(branding.removeBrandingLogo, removePicture('logo')),
  serveOpen(branding.setBrandingLogoDark, setPicture('logo_dark')),
  serve(branding.removeBrandingLogoDark, removePicture('logo_dark')),
  serveOpen(branding.setBrandingIcon, setPicture('icon')),
  serve(branding.removeBrandingIcon, removePicture('icon')),
  serve(branding.getPublicBranding, getPublicBranding),
]
