import { z } from 'zod'
import { GENDERS } from '../catalog.ts'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { OPERATOR_ROLES } from '../operator-roles.ts'
import { NEXT_STEPS } from '../policy/next-steps.ts'
import { approval } from './approval.ts'
import { pictureUpload } from './media.ts'

/** A developer account as its member sees it (product §3.2). */
export const developerAccount = z.object({
  developer_id: f.id,
  name: z.string(),
  logo: f.picture,
  permission: f.level,
  ...approval,
})
export type DeveloperAccount = z.output<typeof developerAccount>

/** User info (product §3.1, api §3.1). */
export const userInfo = z.object({
  id: f.id,
  first_name: z.string(),
  last_name: z.string(),
  profile_picture: f.picture,
  username: z.string().nullable(),
  email: z.string(),
  email_verified: z.boolean(),
  pending_email: z.string().nullable(),
  phone_number: z.string().nullable(),
  birth_date: z.string().nullable(),
  country_code: z.string().nullable(),
  country_name: z.string().nullable(),
  language: z.array(f.locale),
  gender: z.enum(GENDERS).nullable(),
  allow_personalized_ads: z.boolean(),
  allow_details_on_login: z.boolean(),
  /** Whether the user may approve QR codes. */
  allow_qr_sign_in: z.boolean(),
  otp_enabled: z.boolean(),
  otp_enabled_at: f.time.nullable(),
  recovery_codes_left: z.number().int(),
  has_password: z.boolean(),
  passkeys: z.number().int(),
  /** A passkey was offered after a sign-in; it is not offered again. */
  passkey_offered: z.boolean(),
  developer_accounts: z.array(developerAccount),
  developer_id: f.id.nullable(),
  permission: f.level.nullable(),
  /** Role in running the installation; null for people who are not operators. */
  operator_role: z.enum(OPERATOR_ROLES).nullable(),
  /** Step that the user must take before the sign-in of this session is complete; null once it is. */
  next_step: z.enum(NEXT_STEPS).nullable(),
  session_id: f.id,
  password_updated_at: f.time.nullable(),
  created_at: f.time,
})
export type UserInfo = z.output<typeof userInfo>

export const getAccount = route('GET', '/account', {
  summary: 'Return the signed-in user.',
  needs: 'session',
  during: NEXT_STEPS,
  data: userInfo,
})

export const updateAccount = route('PUT', '/account', {
  summary:
    'Update profile fields. A new email is `pending_email` until it is confirmed; null cancels it. The answer is the same for an email that has an account.',
  needs: 'session',
  field_limits: { email: 'costly', username: 'lookup' },
  body: z
    .object({
      first_name: f.personName,
      last_name: f.personName,
      username: f.username.nullable(),
      email: f.email,
      pending_email: z.null(),
      /** In any common notation; stored as E.164. Without a country code it belongs to the country of the account. */
      phone_number: f.line(40, 1).nullable(),
      birth_date: z.iso.date('invalid').nullable(),
      country_code: z.string().length(2).nullable(),
      gender: z.enum(GENDERS).nullable(),
      language: z.array(f.locale).min(1).max(3),
      allow_personalized_ads: z.boolean(),
      allow_details_on_login: z.boolean(),
      allow_qr_sign_in: z.boolean(),
    })
    .partial(),
  data: userInfo,
  // The rule checks for a fresh sign-in, because only a new email and turning QR sign-in on need one.
  problems: ['username_taken', 'reauthentication_required', 'registration_closed'],
})

export const setProfilePicture = route('PUT', '/account/profile-picture', {
  summary: 'Replace the profile picture: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels.',
  needs: 'session',
  multipart: 'profile_picture',
  ...pictureUpload,
  data: userInfo,
})

export const removeProfilePicture = route('DELETE', '/account/profile-picture', {
  summary: 'Remove the profile picture.',
  needs: 'session',
  data: userInfo,
})

export const checkUsername = route('GET', '/account/username/:username', {
  summary: "Check whether a user name is free or the user's own.",
  needs: 'session',
  limit: 'lookup',
  params: z.object({ username: f.username }),
  data: z.object({ available: z.boolean() }),
})

export const setLanguage = route('PUT', '/account/language', {
  summary: 'Set the languages of the account, the preferred one first.',
  needs: 'session',
  during: NEXT_STEPS,
  body: z.object({ language: z.union([f.locale, z.array(f.locale).min(1).max(3)]) }),
  data: userInfo,
})

export const listCountries = route('GET', '/account/countries', {
  summary: 'List countries by region; those of the catalog have the locale of their language.',
  needs: 'nobody',
  data: z.array(
    z.object({
      region: z.string(),
      countries: z.array(z.object({ code: z.string(), name: z.string(), locale: f.locale.optional() })),
    }),
  ),
})
