import { z } from 'zod'
import { GENDERS } from './catalogue.ts'
import * as f from './fields.ts'
import { bringsPicture } from './media.ts'
import { route } from './route.ts'

/** A developer account as its member sees it (specification §3). */
export const developerAccount = z.object({
  developer_id: f.id,
  name: z.string(),
  logo: f.picture,
  permission: f.level,
})
export type DeveloperAccount = z.output<typeof developerAccount>

/** The person behind the session (specification §3, "User info"; api.md §3). */
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
  /** Whether a phone of this person may sign other browsers in with a QR code. */
  allow_qr_sign_in: z.boolean(),
  otp_enabled: z.boolean(),
  otp_enabled_at: f.time.nullable(),
  recovery_codes_left: z.number().int(),
  has_password: z.boolean(),
  passkeys: z.number().int(),
  developer_accounts: z.array(developerAccount),
  developer_id: f.id.nullable(),
  permission: f.level.nullable(),
  session_id: f.id,
  password_updated_at: f.time.nullable(),
  created_at: f.time,
})
export type UserInfo = z.output<typeof userInfo>

export const getAccount = route('GET', '/account', {
  summary: 'The signed-in person.',
  needs: 'session',
  data: userInfo,
})

export const updateAccount = route('PUT', '/account', {
  summary: 'Change profile fields. A new email waits as `pending_email` until it is confirmed; null cancels it.',
  needs: 'session',
  body: z
    .object({
      first_name: f.personName,
      last_name: f.personName,
      username: f.username.nullable(),
      email: f.email,
      pending_email: z.null(),
      /** As people write it; kept as E.164. Without a country code it is one of the account's country. */
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
  // A new email, and QR sign-in on again, need a fresh sign-in, the other fields do not; so the rule asks, not the fence.
  problems: ['username_taken', 'email_exists', 'reauthentication_required'],
})

export const setProfilePicture = route('PUT', '/account/profile-picture', {
  summary: 'A new profile picture: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels.',
  needs: 'session',
  multipart: 'profile_picture',
  ...bringsPicture,
  data: userInfo,
})

export const removeProfilePicture = route('DELETE', '/account/profile-picture', {
  summary: 'No profile picture any more.',
  needs: 'session',
  data: userInfo,
})

export const checkUsername = route('GET', '/account/username/:username', {
  summary: 'Whether a user name is free for me; my own is.',
  needs: 'session',
  params: z.object({ username: f.username }),
  data: z.object({ available: z.boolean() }),
})

export const setLanguage = route('PUT', '/account/language', {
  summary: 'Set the languages of the account, the preferred one first.',
  needs: 'session',
  body: z.object({ language: z.union([f.locale, z.array(f.locale).min(1).max(3)]) }),
  data: userInfo,
})

export const listCountries = route('GET', '/account/countries', {
  summary: 'Countries by region; those of the catalogue carry the locale of their language.',
  needs: 'nobody',
  data: z.array(
    z.object({
      region: z.string(),
      countries: z.array(z.object({ code: z.string(), name: z.string(), locale: f.locale.optional() })),
    }),
  ),
})

export const setPassword = route('PUT', '/account/password', {
  summary: 'Change the password; all other sessions end.',
  needs: 'session',
  body: z.object({ current_password: f.password, new_password: f.newPassword }),
  data: f.nothing,
  problems: ['invalid_password', 'password_too_short', 'password_breached'],
})

export const resendVerification = route('POST', '/account/verify-email', {
  summary: 'Mail the confirmation link again, to the pending address if there is one.',
  needs: 'session',
  data: f.nothing,
  problems: ['already_confirmed'],
})

export const verifyEmail = route('POST', '/account/verify-email/:token', {
  summary: 'Confirm an email address with the token of the mail; signed in or not.',
  needs: 'nobody',
  params: z.object({ token: z.string().max(200) }),
  data: z.object({ email: z.string() }),
  problems: ['invalid_token', 'email_exists'],
})
