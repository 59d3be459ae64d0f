import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { LOCALES, type Locale } from '../locales.ts'
import { pictureUpload } from './media.ts'

/** A text in some of the languages. */
const localized = <T extends z.ZodType>(text: T) =>
  z.strictObject(Object.fromEntries(LOCALES.map((one) => [one, text.optional()])) as Record<Locale, z.ZodOptional<T>>)

const color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'invalid')

const pair = z.object({ color: z.string(), on_color: z.string(), adjusted: z.boolean() })

const pictures = { logo: f.picture, logo_dark: f.picture, icon: f.picture }

/** How this installation looks and what it is called. Null: as delivered. */
export const branding = z.object({
  name: z.string().nullable(),
  /** `#rrggbb`. */
  accent: z.string().nullable(),
  /**
   * The colors that pages and mails use instead of `accent`: readable on every ground of the theme, with a contrast of at least
   * 4.5 (WCAG 2.2 §1.4.3). `adjusted`: the lightness was changed for that.
   */
  accent_colors: z.object({ light: pair, dark: pair }).nullable(),
  ...pictures,
  support_url: z.string().nullable(),
  imprint_url: z.string().nullable(),
  mail_from_name: z.string().nullable(),
  mail_footer: localized(z.string()),
  sign_in_text: localized(z.string()),
  /** Offered languages of the interface and of mails. */
  languages: z.array(f.locale),
  /** For people who prefer none of them. */
  default_language: f.locale,
})
export type Branding = z.output<typeof branding>
/** Fields of the form; pictures have calls of their own. */
export type BrandingSettings = Omit<Branding, 'accent_colors' | keyof typeof pictures>

export const getBranding = route('GET', '/admin/branding', {
  summary: 'Get name, colors, pictures, texts and languages of the installation.',
  needs: 'operator:auditor',
  data: branding,
})

export const updateBranding = route('PUT', '/admin/branding', {
  summary:
    'Change them; what is not named stays, null and an empty text restore what is delivered. Takes effect at once, on every server.',
  needs: 'operator:admin',
  fresh: true,
  body: z.object({
    name: f.line(LIMITS.name_max, 1).nullable().optional(),
    accent: color.nullable().optional(),
    support_url: f.pageUrl.nullable().optional(),
    imprint_url: f.pageUrl.nullable().optional(),
    mail_from_name: f.line(LIMITS.name_max, 1).nullable().optional(),
    mail_footer: localized(f.text(LIMITS.mail_footer_max)).optional(),
    sign_in_text: localized(f.text(LIMITS.sign_in_text_max)).optional(),
    languages: z.array(f.locale).min(1).max(LOCALES.length).optional(),
    default_language: f.locale.optional(),
  }),
  data: branding,
})

const upload = { needs: 'operator:admin', fresh: true, ...pictureUpload, data: branding } as const
const removal = { needs: 'operator:admin', fresh: true, data: branding } as const

export const setBrandingLogo = route('PUT', '/admin/branding/logo', {
  summary: 'Set the logo: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels; not cropped.',
  multipart: 'logo',
  ...upload,
})
export const removeBrandingLogo = route('DELETE', '/admin/branding/logo', {
  summary: 'Remove the logo.',
  ...removal,
})
export const setBrandingLogoDark = route('PUT', '/admin/branding/logo-dark', {
  summary: 'Set the logo of the dark theme, as the logo.',
  multipart: 'logo_dark',
  ...upload,
})
export const removeBrandingLogoDark = route('DELETE', '/admin/branding/logo-dark', {
  summary: 'Remove the logo of the dark theme: it has the other one again.',
  ...removal,
})
export const setBrandingIcon = route('PUT', '/admin/branding/icon', {
  summary: 'Set the icon of browser tabs, as the logo.',
  multipart: 'icon',
  ...upload,
})
export const removeBrandingIcon = route('DELETE', '/admin/branding/icon', {
  summary: 'Remove the icon: browser tabs have the logo, or the icon as delivered.',
  ...removal,
})

/** The branding for pages, without members that have their default. */
export const publicBranding = z.object({
  name: z.string().optional(),
  /** Values of the color tokens of the pages: in the light and in the dark theme. */
  colors: z.record(z.string(), z.tuple([z.string(), z.string()])).optional(),
  logo: z.string().optional(),
  logo_dark: z.string().optional(),
  icon: z.string().optional(),
  support_url: z.string().optional(),
  imprint_url: z.string().optional(),
  sign_in_text: localized(z.string()).optional(),
  languages: z.array(f.locale).optional(),
})
export type PublicBranding = z.output<typeof publicBranding>

export const getPublicBranding = route('GET', '/branding', {
  summary: 'Get what pages show of name, colors, pictures, links and languages of the installation.',
  needs: 'nobody',
  data: publicBranding,
})
